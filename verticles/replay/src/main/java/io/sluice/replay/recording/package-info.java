/** Recordings of a running fleet: their files, written and read. */
package io.sluice.replay.recording;
