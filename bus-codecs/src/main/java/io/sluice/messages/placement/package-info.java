/** Messages about placing pods on nodes. */
package io.sluice.messages.placement;
