package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;

/** One rule by which a node may take a pod or not. It sees nothing but its arguments, and changes only the set. */
interface SchedulingRule {
    /** Removes the nodes that may not take the pod. */
    void filter(PendingPod pod, ClusterTable cluster, BitSet nodes);

    /** Adds why nodes were removed. */
    void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons);
}
