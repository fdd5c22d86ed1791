package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.Taint;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Excludes cordoned nodes, and nodes with a taint that the pod does not tolerate. */
final class TaintRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        if (isKeptFromCordoned(pod)) {
            nodes.andNot(cluster.unschedulable());
        }
        removeTainted(pod, cluster, nodes);
    }

    /** What of a node keeps a pod away, in words: {@code its taint dedicated=db}. */
    static String text(PendingPod pod, ClusterTable cluster, int node) {
        var parts = new ArrayList<String>();
        if (isKeptFromCordoned(pod) && cluster.unschedulable().get(node)) {
            parts.add("its cordon");
        }
        cluster.tainted().forEach((taints, tainted) -> {
            if (tainted.get(node)) {
                taints.stream()
                        .filter(taint -> pod.spec().isKeptAwayBy(List.of(taint)))
                        .map(TaintRule::text)
                        .forEach(parts::add);
            }
        });
        return String.join(" and ", parts);
    }

    private static String text(Taint taint) {
        return "its taint " + taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value());
    }

    private static boolean isKeptFromCordoned(PendingPod pod) {
        return pod.spec().isKeptAwayBy(List.of(Taint.UNSCHEDULABLE));
    }

    static void removeTainted(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        cluster.tainted().forEach((taints, tainted) -> {
            if (pod.spec().isKeptAwayBy(taints)) {
                nodes.andNot(tainted);
            }
        });
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        var cordoned = (BitSet) removed.clone();
        cordoned.and(isKeptFromCordoned(pod) ? cluster.unschedulable() : new BitSet());
        reasons.add(cordoned.cardinality(), "cordoned");
        reasons.add(removed.cardinality() - cordoned.cardinality(), "tainted");
    }
}
