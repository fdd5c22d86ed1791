/** Plays the cores of the whole system together in virtual time, and tries to break their promises. */
package io.sluice.simulation;
