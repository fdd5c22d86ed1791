package io.sluice.ledger.core;

import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.ReportedUse;
import io.sluice.units.Resources;

/**
 * Where the answer to a permit request begins.
 *
 * <p>A buffer is reserved because a VM may be using it. It is not the VM's to grow into where others were promised the
 * same room, as on a node whose state was lost, or where a maximum was raised beyond what the node has. Nor does it go
 * because the agent made a request: an agent that asks for more says nothing about what its driver is still at work on.
 *
 * @param granted what counts as granted already: growth is counted from here, and takes room from here on
 * @param kept what stays reserved whatever is permitted, as the VM may come to use it
 * @param waits whether some of that stays until the agent asks for less, as lost state may have permitted it
 */
record GrowthBaseline(Resources granted, Resources kept, boolean waits) {
    static GrowthBaseline of(
            NodeState state, Reservation member, PermitRequest question, boolean moving, LedgerRules rules) {
        var reserved = member.amounts().reserved();
        if (rules.trustLastPermit() == LastPermitTrust.ALWAYS) {
            return new GrowthBaseline(reserved, Resources.NONE, false);
        }
        var known = known(member, question).min(reserved);
        var granted = KindArithmetic.each(kind -> (moving || state.isOver(kind) ? known : reserved).of(kind));
        boolean answered = member.standing().contact().isAnswered();
        boolean waits =
                !answered && question.use().isEmpty() && question.target().exceeds(known);
        var kept = question.use().map(ReportedUse::exposure).orElseGet(() -> keptOfUnreported(member, question, known));
        return new GrowthBaseline(granted, kept.min(reserved), waits);
    }

    /**
     * What the VM is known to use or to be permitted: what its agent reports in use, and the last permit that reached
     * it. An answer that was lost permits nothing. Of an agent that says neither, it is what is reserved but for the
     * buffer.
     */
    static Resources known(Reservation member, PermitRequest question) {
        var claimed = question.lastPermit();
        return question.use()
                .map(use -> use.inUse().max(claimed.orElse(Resources.NONE)))
                .orElseGet(() -> claimed.orElse(member.amounts().told()));
    }

    /**
     * Of an agent that reports no exposure a decrease alone counts. Until then all that is reserved after a loss stays;
     * from then on what its VM is observed to use, once it was observed since it was last permitted more. Its last
     * permit stays, too: where the reply to a decrease is lost, such an agent goes on using it, until it names a
     * smaller one.
     */
    private static Resources keptOfUnreported(Reservation member, PermitRequest question, Resources known) {
        var reserved = member.amounts().reserved();
        boolean answered = member.standing().contact().isAnswered();
        boolean current = member.talk().observedSinceGrowth(member.seen());
        var observed = member.seen().vm().map(Observations.Kind::amounts).orElse(Resources.NONE);
        var stays = observed.max(question.lastPermit().orElse(Resources.NONE));
        return KindArithmetic.each(kind -> {
            boolean more = question.target().of(kind) > known.of(kind);
            boolean all = answered ? !more && !current : more;
            return (all ? reserved : stays).of(kind);
        });
    }

    /** The node once the member has given back what does not count as granted. */
    NodeState in(NodeState state, Reservation member) {
        return granted.equals(member.amounts().reserved())
                ? state
                : state.with(member.with(member.amounts().holding(granted)));
    }
}
