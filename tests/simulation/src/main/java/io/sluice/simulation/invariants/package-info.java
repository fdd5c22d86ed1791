/** What must hold after every event of every history: one class each. */
package io.sluice.simulation.invariants;
