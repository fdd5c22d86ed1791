/** What must hold after every event of every history: one class for each invariant. */
package io.sluice.simulation.invariants;
