package io.sluice.placement.core.rules;

import io.sluice.devices.GpuNames;
import io.sluice.devices.NodeDevices;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.shell.Quantities;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Excludes nodes whose pods' requests and the pod's exceed what the node can give, in any resource. */
final class ResourceRule implements SchedulingRule {
    static final String CPU = "cpu";
    static final String MEMORY = "memory";

    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        if (pod.gpus().isNone()) {
            cluster.resources.keepWithRoom(pod.spec().requests(), nodes);
            return;
        }
        var byKubelet = new BitSet();
        nodes.stream().filter(node -> countsDevices(cluster, node)).forEach(byKubelet::set);
        nodes.andNot(byKubelet);
        cluster.resources.keepWithRoom(requests(pod, false), nodes);
        cluster.resources.keepWithRoom(requests(pod, true), byKubelet);
        nodes.or(byKubelet);
    }

    /** Whether the kubelet counts whole devices there. */
    private static boolean countsDevices(ClusterTable cluster, int node) {
        return cluster.ledger
                .sums(node)
                .filter(sums -> sums.devices().node().mode().isShared()
                        && sums.fixedTotal().of(NodeDevices.WHOLE_DEVICES) == 0)
                .isEmpty();
    }

    /** What the pod requests beside what the ledger counts device by device. */
    private static Map<String, Long> requests(PendingPod pod, boolean byKubelet) {
        if (pod.gpus().isNone()) {
            return pod.spec().requests();
        }
        var requests = new HashMap<>(pod.spec().requests());
        requests.keySet()
                .removeIf(name -> GpuNames.isGpu(name) && !(byKubelet && name.equals(NodeDevices.WHOLE_DEVICES)));
        return requests;
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        for (int node = removed.nextSetBit(0); node >= 0; node = removed.nextSetBit(node + 1)) {
            reasons.addShort("", shortBy(pod, cluster, node));
        }
    }

    private static Map<String, Long> shortBy(PendingPod pod, ClusterTable cluster, int node) {
        var shortBy = new HashMap<String, Long>();
        var wanted = new HashMap<>(requests(pod, countsDevices(cluster, node)));
        wanted.put(ResourceTable.PODS, 1L);
        wanted.forEach((resource, amount) -> {
            long missing = cluster.resources.shortBy(resource, node, amount);
            if (amount > 0 && missing > 0) {
                shortBy.put(resource, missing);
            }
        });
        return shortBy;
    }

    static String text(String resource, long amount) {
        var name = switch (resource) {
            case CPU -> "CPU";
            case MEMORY -> "memory";
            default -> resource;
        };
        return name + " by " + amount(resource, amount);
    }

    static String amount(String resource, long amount) {
        return switch (resource) {
            case CPU -> Quantities.cpuText(amount);
            case MEMORY -> Quantities.memoryText(amount);
            default -> Long.toString(amount);
        };
    }
}
