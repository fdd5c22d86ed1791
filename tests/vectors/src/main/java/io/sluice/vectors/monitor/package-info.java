/** Plays the monitor's side of recorded sessions, over real sockets, before Sluice's own dispatcher. */
package io.sluice.vectors.monitor;
