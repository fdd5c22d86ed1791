package io.sluice.ledger.core;

import io.sluice.units.Resources;
import java.util.Optional;

/**
 * What a question finds its member to hold. A buffer is booked for the case that its VM uses it already; it is not the
 * VM's to grow into where others were promised the same room, as on a node whose books were lost, or where a maximum
 * was raised beyond what the node has.
 */
final class Held {
    private Held() {}

    /**
     * All that is reserved; but of a kind of which the node is promised more than it has, and of a member that moves,
     * no more than the member is known to use or was permitted. What lost books permitted the asker says; who does not
     * say what he was permitted last tells what he uses.
     *
     * @param lastPermit what the asker was permitted last, as he says
     */
    static Resources of(
            NodeState state, Member member, Optional<Resources> lastPermit, boolean moving, LedgerRules rules) {
        var amounts = member.amounts();
        boolean noBuffer = amounts.buffer().equals(Resources.NONE);
        boolean heard = member.standing().contact() == Contact.HEARD;
        boolean tells = !heard && lastPermit.isEmpty();
        if (noBuffer || tells || rules.trustLastPermit() == TrustLastPermit.ALWAYS) {
            return amounts.reserved();
        }
        var claimed = lastPermit.filter(permit -> !heard).orElse(Resources.NONE);
        var known = amounts.told().max(claimed.min(amounts.reserved()));
        return Kinds.each(kind -> {
            boolean over =
                    state.sums().reserved().of(kind) > state.size().total().of(kind);
            return (moving || over ? known : amounts.reserved()).of(kind);
        });
    }

    /** The books once a member has given back what it is not found to hold. */
    static NodeState givenBack(NodeState state, Member member, Resources held) {
        return held.equals(member.amounts().reserved())
                ? state
                : state.with(member.with(member.amounts().holding(held)));
    }
}
