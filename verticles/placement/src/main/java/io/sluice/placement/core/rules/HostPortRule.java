package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;

/** Excludes nodes on which a pod uses a port that the pod needs, at the same address or at all. */
final class HostPortRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        for (var wanted : pod.spec().hostPorts()) {
            cluster.ports(wanted.port())
                    .ifPresent(used -> used.entries().stream()
                            .filter(entry -> entry.getKey().conflictsWith(wanted))
                            .forEach(entry -> entry.getValue().keySet().forEach(nodes::clear)));
        }
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        reasons.add(removed.cardinality(), "without a free host port");
    }
}
