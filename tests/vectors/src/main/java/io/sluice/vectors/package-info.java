/** Plays recorded histories of the reference through Sluice's cores and reports where a reply differs. */
package io.sluice.vectors;
