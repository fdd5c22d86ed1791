/** Plays the monitor's side of recorded sessions, over real sockets, against Sluice's dispatcher. */
package io.sluice.vectors.monitor;
