package io.sluice.placement.core.rules;

import io.sluice.messages.vm.ChooseVolume;
import io.sluice.placement.core.spec.NodeAffinity;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.StorageClass;
import io.sluice.placement.core.spec.Volume;
import io.sluice.placement.core.spec.VolumeClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        var waiting = cluster.volumes.unbound(pod.spec());
        for (var claim : waiting) {
            nodes.and(reachable(claim, cluster, nodes));
        }
        if (waiting.size() > 1) {
            // Each of them may reach the same volume.
            var walk = new NodeIndex.Walk(nodes);
            for (int node = walk.next(); node >= 0; node = walk.next()) {
                nodes.set(node, choices(pod.spec(), cluster, node).isPresent());
            }
        }
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

    /** The nodes on which a claim that waits for its pod's node could get a volume. */
    private static BitSet reachable(VolumeClaim claim, ClusterTable cluster, BitSet nodes) {
        var reserved = cluster.volumes.reserved(claim);
        if (reserved.isPresent()) {
            return among(nodes, withoutFields(reserved.get().affinity()), cluster);
        }
        var reachable = new BitSet();
        var selected = claim.need().selectedNode();
        if (!selected.isEmpty()) {
            nodes.stream().filter(node -> cluster.name(node).equals(selected)).forEach(reachable::set);
            return reachable;
        }
        cluster.volumes
                .suitable(claim)
                .forEach(volume -> reachable.or(among(nodes, withoutFields(volume.affinity()), cluster)));
        cluster.volumes
                .storageClass(claim)
                .filter(StorageClass::makesVolumes)
                .ifPresent(makes -> reachable.or(among(nodes, makes.topology(), cluster)));
        return reachable;
    }

    private static BitSet among(BitSet nodes, NodeAffinity affinity, ClusterTable cluster) {
        var kept = (BitSet) nodes.clone();
        cluster.labels.keep(affinity, kept);
        return kept;
    }

    /**
     * What is to be chosen for the claims of a pod on a node; nothing for claims of which that is done. Two claims get
     * two volumes.
     *
     * @return empty if some claim can get no volume there
     */
    static Optional<List<ChooseVolume>> choices(PodSpec pod, ClusterTable cluster, int node) {
        var choices = new ArrayList<ChooseVolume>();
        var here = new BitSet();
        here.set(node);
        for (var claim : cluster.volumes.unbound(pod)) {
            if (!claim.need().selectedNode().isEmpty()
                    || cluster.volumes.reserved(claim).isPresent()) {
                continue;
            }
            var volume = cluster.volumes.suitable(claim).stream()
                    .filter(suitable -> !among(here, withoutFields(suitable.affinity()), cluster)
                            .isEmpty())
                    .filter(suitable ->
                            choices.stream().noneMatch(choice -> choice.volume().equals(suitable.name())))
                    .findFirst();
            boolean made = cluster.volumes
                    .storageClass(claim)
                    .filter(StorageClass::makesVolumes)
                    .filter(makes -> !among(here, makes.topology(), cluster).isEmpty())
                    .isPresent();
            if (volume.isEmpty() && !made) {
                return Optional.empty();
            }
            choices.add(new ChooseVolume(
                    claim.namespace(),
                    claim.name(),
                    claim.need().uid(),
                    cluster.name(node),
                    volume.map(Volume::name).orElse(""),
                    volume.map(chosen -> chosen.offer().version())
                            .orElse(claim.need().version())));
        }
        return Optional.of(choices);
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
