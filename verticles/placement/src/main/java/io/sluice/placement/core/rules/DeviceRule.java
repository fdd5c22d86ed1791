package io.sluice.placement.core.rules;

import io.sluice.devices.DeviceMisfit;
import io.sluice.placement.core.devices.FreeDevices;
import io.sluice.placement.core.spec.PendingPod;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Optional;

/** Excludes nodes whose ledger has no GPU for the pod. */
final class DeviceRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        if (pod.gpus().isNone()) {
            return;
        }
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            if (misfit(pod, cluster, node).isPresent()) {
                nodes.clear(node);
            }
        }
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        var counts = new EnumMap<DeviceMisfit.Cause, Integer>(DeviceMisfit.Cause.class);
        var closest = new EnumMap<DeviceMisfit.Cause, DeviceMisfit>(DeviceMisfit.Cause.class);
        removed.stream()
                .mapToObj(node -> misfit(pod, cluster, node))
                .flatMap(Optional::stream)
                .forEach(misfit -> {
                    counts.merge(misfit.cause(), 1, Integer::sum);
                    closest.merge(misfit.cause(), misfit, DeviceMisfit::closer);
                });
        counts.forEach((cause, nodes) ->
                reasons.add(nodes, "with no GPU: " + closest.get(cause).text()));
    }

    private static Optional<DeviceMisfit> misfit(PendingPod pod, ClusterTable cluster, int node) {
        return cluster.ledger.sums(node).flatMap(sums -> FreeDevices.misfit(pod.gpus(), sums));
    }
}
