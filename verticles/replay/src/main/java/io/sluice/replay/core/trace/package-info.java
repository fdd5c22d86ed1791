/** Recorded load, as series of samples. */
package io.sluice.replay.core.trace;
