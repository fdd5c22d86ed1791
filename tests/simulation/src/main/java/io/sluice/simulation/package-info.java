/** Plays the cores of the whole system together in virtual time, and tries to break their invariants. */
package io.sluice.simulation;
