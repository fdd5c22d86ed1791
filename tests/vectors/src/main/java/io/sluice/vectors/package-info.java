/** Plays recorded histories of the reference through Sluice's cores and tells where an answer differs. */
package io.sluice.vectors;
