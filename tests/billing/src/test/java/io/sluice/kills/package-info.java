/** A process that bills, killed again and again, and whether its bills add up to what was used. */
package io.sluice.kills;
