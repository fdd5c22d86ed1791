package io.sluice.simulation.model;

import io.sluice.units.Resources;

/** What the books hold for a VM. */
public sealed interface ReservedTotals {
    /** That much. */
    record At(Resources amount) implements ReservedTotals {}

    /** The books were lost, or nobody told them yet of a pod that was placed past us. */
    record Unknown() implements ReservedTotals {}

    /** It should count, and does not. */
    record Nowhere() implements ReservedTotals {}
}
