/** Recordings of Sluice itself: production's decisions, made again by its own core and compared one by one. */
package io.sluice.replay.core.recorded;
