package io.sluice.ledger.core;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.units.Resources;

/** Raises a reservation to the observed use of its VM at once, with or without room; never lowers it. */
final class ObservedUseRule {
    private ObservedUseRule() {}

    /**
     * Raises a reservation to the observed use.
     *
     * @param before the reservation before the observation
     * @param after the reservation with everything else that the observation changes
     * @param use the use that the observation shows
     */
    static CommandOutcome<ObservationReply> raised(
            NodeState state, Reservation before, Reservation after, Resources use) {
        var raised = after.with(after.amounts().raisedTo(use));
        boolean forced =
                use.exceeds(before.amounts().reserved()) && before.limits().autoscaled();
        if (!forced || raised.status().forceReported()) {
            return CommandOutcome.of(state.with(raised), ObservationReply.TAKEN);
        }
        var reported = raised.with(raised.status().withForceReported());
        return CommandOutcome.of(state.with(reported), ObservationReply.TAKEN)
                .noting(new LedgerNotice.ForcedIn(
                        reported.pod(),
                        before.amounts().reserved(),
                        reported.amounts().reserved()));
    }
}
