package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;
import java.util.Set;

/** Whether a node has room for one more member, asked without changing anything. */
public final class Fitting {
    private Fitting() {}

    /** By how much the node would be above its total in each kind; nothing where the member fits. */
    public static Resources shortage(NodeState state, Resources amounts, Overcommit overcommit) {
        return shortage(state.size().total(), state.sums().reserved(), amounts, overcommit);
    }

    /** The same, counting exactly these members: whoever asks may know better who will be there. */
    public static Resources shortage(NodeState state, Resources amounts, Overcommit overcommit, Set<String> counted) {
        var reserved = Resources.NONE;
        for (var member : state.members()) {
            if (counted.contains(member.id())) {
                reserved = reserved.plus(member.amounts().charge());
            }
        }
        return shortage(state.size().total(), reserved, amounts, overcommit);
    }

    private static Resources shortage(Resources total, Resources reserved, Resources amounts, Overcommit overcommit) {
        return reserved.plus(KindArithmetic.onNode(amounts, overcommit)).minus(total);
    }
}
