package io.sluice.messages.ledger;

import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
import java.util.List;
import java.util.Objects;

/**
 * All members of a node from one consistent listing. An incomplete node becomes complete by it; on a complete one it
 * removes what the listing no longer holds.
 *
 * @param node the node itself
 * @param version of the listing: members last seen at or before it and not in it are gone
 * @param pods every pod that counts there
 * @param vms the VMs that run in those pods
 */
public record LoadNode(NodeSeen node, long version, List<PodSeen> pods, List<VmSeen> vms) {
    public LoadNode {
        Objects.requireNonNull(node, "node");
        pods = List.copyOf(pods);
        vms = List.copyOf(vms);
    }
}
