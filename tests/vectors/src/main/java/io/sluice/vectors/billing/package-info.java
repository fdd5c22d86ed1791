/** Plays recordings of billing: what a collector saw when, and the events that it made of it. */
package io.sluice.vectors.billing;
