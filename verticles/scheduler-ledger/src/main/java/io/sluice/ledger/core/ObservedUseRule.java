package io.sluice.ledger.core;

import io.sluice.units.Resources;

/** The books follow what a VM is seen to use: up at once, room or no room; down never. */
final class ObservedUseRule {
    private ObservedUseRule() {}

    /**
     * @param before the member as the books held it
     * @param after the member with everything else that the fact says
     * @param use what the fact shows in use
     */
    static CommandOutcome<ObservationReply> raised(
            NodeState state, Reservation before, Reservation after, Resources use) {
        var raised = after.with(after.amounts().raisedTo(use));
        boolean forced =
                use.exceeds(before.amounts().reserved()) && before.limits().autoscaled();
        if (!forced || raised.standing().forcedTold()) {
            return CommandOutcome.of(state.with(raised), ObservationReply.TAKEN);
        }
        var told = raised.with(raised.standing().toldOfForce());
        return CommandOutcome.of(state.with(told), ObservationReply.TAKEN)
                .noting(new LedgerNotice.ForcedIn(
                        told.who(), before.amounts().reserved(), told.amounts().reserved()));
    }
}
