/** Recognizes equal states: digests, numbers for values, and the states that were visited. */
package io.sluice.simulation.exhaustive.digest;
