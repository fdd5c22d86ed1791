package io.sluice.placement.core.rules;

import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;
import java.util.List;

/** One rule by which a node may take a pod or not. It sees nothing but its arguments, and changes only the set. */
interface SchedulingRule {
    /** Removes the nodes that may not take the pod. */
    void filter(PendingPod pod, ClusterTable cluster, BitSet nodes);

    /** Adds why nodes were removed. */
    void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons);

    /** A rule whose cause an operator changes at once. */
    interface Changeable extends SchedulingRule {
        /** The changes, all of which let the rule leave a node that it removes. */
        List<GrantChange> changes(PendingPod pod, ClusterTable cluster, int node);
    }
}
