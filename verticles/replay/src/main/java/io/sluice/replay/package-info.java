/** Recorded load, replayed against policies: reads traces, runs replays in parallel, writes reports. */
package io.sluice.replay;
