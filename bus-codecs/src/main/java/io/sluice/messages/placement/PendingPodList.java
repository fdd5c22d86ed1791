package io.sluice.messages.placement;

import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * The reply to {@link ListPendingPods}.
 *
 * @param pods those that were created first, the oldest first
 * @param total how many wait, those that are left out too
 */
public record PendingPodList(List<PendingPod> pods, int total) {
    /**
     * A pod that waits for a node.
     *
     * @param uid the pod's uid
     * @param namespace the pod's namespace
     * @param name the pod's name
     * @param vmName the VM that it runs; empty for any other pod
     * @param createdAtSeconds creation time, in seconds since 1970
     * @param amounts the size that is reserved for it
     * @param charge what of it counts on a node, after overcommit
     * @param nodes what each node lacks for it by the last sums of its ledger, sorted by node; empty unless the pod was
     *     requested by its name
     */
    public record PendingPod(
            String uid,
            String namespace,
            String name,
            String vmName,
            long createdAtSeconds,
            Resources amounts,
            Resources charge,
            List<NodeRank> nodes) {
        public PendingPod {
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(vmName, "vmName");
            Objects.requireNonNull(amounts, "amounts");
            Objects.requireNonNull(charge, "charge");
            nodes = List.copyOf(nodes);
        }

        /** The pod, as {@code namespace/name}. */
        public String label() {
            return namespace + "/" + name;
        }
    }

    public PendingPodList {
        pods = List.copyOf(pods);
    }
}
