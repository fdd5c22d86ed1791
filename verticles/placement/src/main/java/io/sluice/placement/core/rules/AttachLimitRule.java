package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Excludes nodes that could not attach all volumes of the pod, by the limits of their CSI drivers. */
final class AttachLimitRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        var wanted = cluster.volumes.attached(List.of(pod.spec()));
        if (wanted.isEmpty()) {
            return;
        }
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            var limits = cluster.volumes.limits(cluster.name(node));
            if (wanted.stream().anyMatch(volume -> limits.containsKey(volume.driver()))
                    && exceeds(
                            limits,
                            wanted,
                            cluster.volumes.attachedForPods(node),
                            cluster.volumes.attached(cluster.name(node)))) {
                nodes.clear(node);
            }
        }
    }

    /** As in Kubernetes, a volume that is attached and that no pod on the node uses needs another place. */
    private static boolean exceeds(
            Map<String, Integer> limits,
            Set<VolumeTable.Attached> wanted,
            Set<VolumeTable.Attached> used,
            Set<VolumeTable.Attached> attached) {
        var counts = new HashMap<String, Integer>();
        var all = new HashSet<>(used);
        all.addAll(attached);
        all.forEach(volume -> counts.merge(volume.driver(), 1, Integer::sum));
        return wanted.stream()
                .filter(volume -> !used.contains(volume))
                .anyMatch(volume -> counts.merge(volume.driver(), 1, Integer::sum)
                        > limits.getOrDefault(volume.driver(), Integer.MAX_VALUE));
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "at the limit of volumes that they can attach");
    }
}
