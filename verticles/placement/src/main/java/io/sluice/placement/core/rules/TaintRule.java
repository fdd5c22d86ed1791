package io.sluice.placement.core.rules;

import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.Taint;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Excludes cordoned nodes, and nodes with a taint that the pod does not tolerate. */
final class TaintRule implements SchedulingRule.Changeable {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        if (isKeptFromCordoned(pod)) {
            nodes.andNot(cluster.unschedulable());
        }
        removeTainted(pod, cluster, nodes);
    }

    @Override
    public List<GrantChange> changes(PendingPod pod, ClusterTable cluster, int node) {
        var changes = new ArrayList<GrantChange>();
        var name = cluster.name(node);
        if (isKeptFromCordoned(pod) && cluster.unschedulable().get(node)) {
            changes.add(GrantChange.of(GrantChange.Kind.UNCORDONED, name, ""));
        }
        cluster.tainted().forEach((taints, tainted) -> {
            if (tainted.get(node)) {
                taints.stream()
                        .filter(taint -> pod.spec().isKeptAwayBy(List.of(taint)))
                        .map(taint -> GrantChange.of(GrantChange.Kind.TAINT_TOLERATED, name, text(taint)))
                        .forEach(changes::add);
            }
        });
        return changes;
    }

    private static String text(Taint taint) {
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value());
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
