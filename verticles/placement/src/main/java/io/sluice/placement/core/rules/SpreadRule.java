package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.SpreadConstraint;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** Excludes nodes on which the pod would break one of its topology spread constraints. */
final class SpreadRule implements SchedulingRule {
    private static final int NOT_COUNTED = -1;

    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        var constraints = pod.spec().spread();
        if (constraints.isEmpty()) {
            return;
        }
        var inDomains = cluster.all();
        constraints.forEach(constraint -> inDomains.and(cluster.labels.with(constraint.topologyKey())));
        nodes.and(inDomains);
        for (var constraint : constraints) {
            filter(pod, cluster, constraint, counted(pod, cluster, constraint, inDomains), nodes);
        }
    }

    /** The nodes whose pods count. */
    static BitSet counted(PendingPod pod, ClusterTable cluster, SpreadConstraint constraint, BitSet inDomains) {
        var counted = (BitSet) inDomains.clone();
        if (constraint.honorAffinity()) {
            cluster.labels.keep(pod.spec().nodeAffinity(), counted);
        }
        if (constraint.honorTaints()) {
            TaintRule.removeTainted(pod, cluster, counted);
        }
        return counted;
    }

    private static void filter(
            PendingPod pod, ClusterTable cluster, SpreadConstraint constraint, BitSet counted, BitSet nodes) {
        var domains = cluster.labels.domains(constraint.topologyKey());
        var pods = new int[domains.count()];
        Arrays.fill(pods, NOT_COUNTED);
        var matching = matching(pod, cluster, constraint);
        for (int node = counted.nextSetBit(0); node >= 0; node = counted.nextSetBit(node + 1)) {
            int domain = domains.at(node);
            pods[domain] = Math.max(0, pods[domain]) + matching.applyAsInt(node);
        }
        int self = constraint.selector().matches(pod.spec().labels()) ? 1 : 0;
        int most = constraint.maxSkew() + fewest(pods, constraint.minDomains()) - self;
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            if (Math.max(0, pods[domains.at(node)]) > most) {
                nodes.clear(node);
            }
        }
    }

    /** The number of pods that a constraint counts, by node. Kubernetes counts none for a selector that selects all. */
    static IntUnaryOperator matching(PendingPod pod, ClusterTable cluster, SpreadConstraint constraint) {
        if (constraint.selector().everything()) {
            return node -> 0;
        }
        return cluster.count(List.of(
                new PodCounts.Match(Optional.of(Set.of(pod.spec().namespace())), constraint.selector(), false)))::at;
    }

    private static int fewest(int[] pods, int minDomains) {
        int domains = 0;
        int fewest = Integer.MAX_VALUE;
        for (int inDomain : pods) {
            if (inDomain != NOT_COUNTED) {
                domains++;
                fewest = Math.min(fewest, inDomain);
            }
        }
        return domains < Math.max(1, minDomains) ? 0 : fewest;
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "against the pod's topology spread");
    }
}
