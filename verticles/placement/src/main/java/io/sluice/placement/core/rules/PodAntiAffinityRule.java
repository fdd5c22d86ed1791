package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Excludes nodes near pods that the pod's anti-affinity names, and near pods whose anti-affinity names the pod. */
final class PodAntiAffinityRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        var avoided = new HashMap<String, BitSet>();
        for (var term : pod.spec().repelled()) {
            var count = cluster.count(List.of(PodAffinityRule.match(term, cluster)));
            var with = cluster.labels.with(term.topologyKey());
            for (int node = with.nextSetBit(0); node >= 0; node = with.nextSetBit(node + 1)) {
                if (count.at(node) > 0) {
                    avoid(term.topologyKey(), node, cluster, avoided);
                }
            }
        }
        var namespaceLabels = cluster.namespaceLabels(pod.spec().namespace());
        for (var entry : cluster.repelling.entries()) {
            if (entry.getKey().matches(pod.spec(), namespaceLabels)) {
                entry.getValue().keySet().forEach(node -> avoid(entry.getKey().topologyKey(), node, cluster, avoided));
            }
        }
        remove(avoided, cluster, nodes);
    }

    private static void avoid(String key, int node, ClusterTable cluster, Map<String, BitSet> avoided) {
        int domain = cluster.labels.domains(key).at(node);
        if (domain != NodeIndex.NONE) {
            avoided.computeIfAbsent(key, added -> new BitSet()).set(domain);
        }
    }

    private static void remove(Map<String, BitSet> avoided, ClusterTable cluster, BitSet nodes) {
        avoided.forEach((key, without) -> {
            var domains = cluster.labels.domains(key);
            for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
                int domain = domains.at(node);
                if (domain != NodeIndex.NONE && without.get(domain)) {
                    nodes.clear(node);
                }
            }
        });
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "near pods that anti-affinity excludes");
    }
}
