/** Codecs of the messages about pods that are resized in place. */
package io.sluice.codecs.pod;
