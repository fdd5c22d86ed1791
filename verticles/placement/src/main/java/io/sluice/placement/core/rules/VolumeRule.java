package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.NodeAffinity;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.Volume;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Excludes nodes that are in another zone than a volume of the pod, or that its affinity does not allow. */
final class VolumeRule implements SchedulingRule {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";

    /** The labels of zones and regions, with the name that replaced the older ones. */
    private static final Map<String, String> ZONES = Map.of(
            ZONE,
            ZONE,
            REGION,
            REGION,
            "failure-domain.beta.kubernetes.io/zone",
            ZONE,
            "failure-domain.beta.kubernetes.io/region",
            REGION);

    /** Separates the zones of a volume that is in several. */
    private static final String SEPARATOR = "__";

    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        var volumes = cluster.volumes.volumes(pod.spec());
        if (volumes.isEmpty()) {
            return;
        }
        var inZones = new BitSet();
        ZONES.keySet().forEach(label -> inZones.or(cluster.labels.with(label)));
        for (var volume : volumes) {
            removeOtherZones(volume, cluster, inZones, nodes);
            cluster.labels.keep(withoutFields(volume.affinity()), nodes);
        }
    }

    /** A node without any label of a zone may take all volumes. */
    private static void removeOtherZones(Volume volume, ClusterTable cluster, BitSet inZones, BitSet nodes) {
        volume.labels().forEach((label, value) -> {
            var zones = ZONES.containsKey(label) ? zones(value) : Set.<String>of();
            if (!zones.isEmpty()) {
                var allowed = cluster.labels.with(label, zones);
                var newer = cluster.labels.with(ZONES.get(label), zones);
                newer.andNot(cluster.labels.with(label));
                allowed.or(newer);
                var excluded = (BitSet) inZones.clone();
                excluded.andNot(allowed);
                nodes.andNot(excluded);
            }
        });
    }

    /** The zones of a volume; none if one of them has no name. */
    private static Set<String> zones(String label) {
        var zones = Arrays.stream(label.split(SEPARATOR, -1)).map(String::strip).collect(Collectors.toSet());
        return zones.contains("") ? Set.of() : zones;
    }

    /** Requirements on fields do not count for volumes: a term that has no others allows all nodes. */
    private static NodeAffinity withoutFields(NodeAffinity affinity) {
        var terms = affinity.required()
                .map(all -> all.stream()
                        .filter(term -> !term.isEmpty())
                        .map(term -> new NodeAffinity.Term(term.labels(), List.of()))
                        .toList());
        return new NodeAffinity(
                affinity.selector(),
                terms.filter(all -> all.stream().noneMatch(NodeAffinity.Term::isEmpty)),
                List.of());
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "out of reach of the pod's volumes");
    }
}
