/** The conditions of pods and gangs that are placed. */
package io.sluice.simulation.invariants.placement;
