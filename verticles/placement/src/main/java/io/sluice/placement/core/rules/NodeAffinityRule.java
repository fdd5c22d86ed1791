package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;

/** Excludes nodes that the pod's node selector or required node affinity does not allow. */
final class NodeAffinityRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        cluster.labels.keep(pod.spec().nodeAffinity(), nodes);
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "not allowed by the pod's node selector or affinity");
    }
}
