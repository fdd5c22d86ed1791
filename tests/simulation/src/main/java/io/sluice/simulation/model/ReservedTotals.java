package io.sluice.simulation.model;

import io.sluice.units.Resources;

/** What the ledger reserves for a VM. */
public sealed interface ReservedTotals {
    /** That amount. */
    record At(Resources amount) implements ReservedTotals {}

    /** Unknown: the ledger state was lost, or a pod that was placed without a hold was not observed yet. */
    record Unknown() implements ReservedTotals {}

    /** The ledger should have a reservation, and has none. */
    record Nowhere() implements ReservedTotals {}
}
