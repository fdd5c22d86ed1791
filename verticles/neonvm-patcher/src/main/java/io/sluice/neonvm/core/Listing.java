package io.sluice.neonvm.core;

import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
import java.util.List;

/**
 * Everything there was, kind by kind in the order of the fields: a VM listed after its pod is never older than it.
 *
 * @param nodes all nodes
 * @param pods all pods that take room
 * @param vms all VMs, not joined with their pods yet
 */
public record Listing(Part<NodeSeen> nodes, Part<PodSeen> pods, Part<VmSeen> vms) {
    /**
     * All objects of one kind at one instant.
     *
     * @param version of the list itself
     * @param items what it held
     */
    public record Part<T>(long version, List<T> items) {
        public Part {
            items = List.copyOf(items);
        }
    }
}
