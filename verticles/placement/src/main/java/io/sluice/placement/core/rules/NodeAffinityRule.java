package io.sluice.placement.core.rules;

import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;
import java.util.List;

/** Excludes nodes that the pod's node selector or required node affinity does not allow. */
final class NodeAffinityRule implements SchedulingRule.Changeable {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        cluster.labels.keep(pod.spec().nodeAffinity(), nodes);
    }

    /** None where no node is allowed: then the pod lacks a node of a kind, and not this one. */
    @Override
    public List<GrantChange> changes(PendingPod pod, ClusterTable cluster, int node) {
        var allowed = cluster.all();
        filter(pod, cluster, allowed);
        return allowed.isEmpty()
                ? List.of()
                : List.of(GrantChange.of(GrantChange.Kind.NODE_ALLOWED, cluster.name(node), ""));
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "not allowed by the pod's node selector or affinity");
    }
}
