/** Plays recordings of billing: what a collector observed at which time, and the events that it made of it. */
package io.sluice.vectors.billing;
