/** Messages about pods that are resized in place. */
package io.sluice.messages.pod;
