package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.PodTerm;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Excludes nodes whose domains have no pod that meets all terms of the pod's affinity. Where no pod on any node meets
 * them, but the pod itself does, it may go to any node that has all domains.
 */
final class PodAffinityRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        var terms = pod.spec().attracted();
        if (terms.isEmpty()) {
            return;
        }
        terms.forEach(term -> nodes.and(cluster.labels.with(term.topologyKey())));
        var count =
                cluster.count(terms.stream().map(term -> match(term, cluster)).toList());
        var near = (BitSet) nodes.clone();
        boolean some = false;
        for (var term : terms) {
            some |= keepDomainsWith(count, term.topologyKey(), cluster, near);
        }
        if (some || !meetsItsOwn(pod.spec(), terms, cluster)) {
            nodes.and(near);
        }
    }

    /** Returns whether any domain has such a pod. */
    private static boolean keepDomainsWith(PodCounts.Count count, String key, ClusterTable cluster, BitSet nodes) {
        var domains = cluster.labels.domains(key);
        var with = new BitSet();
        var all = cluster.labels.with(key);
        for (int node = all.nextSetBit(0); node >= 0; node = all.nextSetBit(node + 1)) {
            if (count.at(node) > 0) {
                with.set(domains.at(node));
            }
        }
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            if (!with.get(domains.at(node))) {
                nodes.clear(node);
            }
        }
        return !with.isEmpty();
    }

    private static boolean meetsItsOwn(PodSpec pod, List<PodTerm> terms, ClusterTable cluster) {
        return terms.stream().allMatch(term -> match(term, cluster).matches(pod));
    }

    /** The pods that a term selects. */
    static PodCounts.Match match(PodTerm term, ClusterTable cluster) {
        if (term.namespaceSelector().everything()) {
            return new PodCounts.Match(Optional.empty(), term.selector(), true);
        }
        var namespaces = new HashSet<>(term.namespaces());
        if (!term.namespaceSelector().nothing()) {
            namespaces.addAll(cluster.namespaces(term.namespaceSelector()::matches));
        }
        return new PodCounts.Match(Optional.of(namespaces), term.selector(), true);
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "not near the pods of the pod's affinity");
    }
}
