package io.sluice.messages.ledger;

import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * All members of a node from one consistent listing. An incomplete node becomes complete by it; on a complete one it
 * removes what the listing no longer holds.
 *
 * <p>Versions of a cluster's store grow, so a listing older than the books know came late, and changes nothing. But a
 * store may be put back: whoever lists again after he was told of the version that the books know, and finds an older
 * one all the same, says so.
 *
 * @param node the node itself
 * @param version of the listing: members last seen at or before it and not in it are gone
 * @param pods every pod that counts there
 * @param vms the VMs that run in those pods
 * @param putBackFrom the version that the books were known to have before this listing was begun, which is older
 */
public record LoadNode(NodeSeen node, long version, List<PodSeen> pods, List<VmSeen> vms, Optional<Long> putBackFrom) {
    public LoadNode {
        Objects.requireNonNull(putBackFrom, "putBackFrom");
        Objects.requireNonNull(node, "node");
        pods = List.copyOf(pods);
        vms = List.copyOf(vms);
    }

    /** Of a store whose versions have only grown, as far as is known. */
    public LoadNode(NodeSeen node, long version, List<PodSeen> pods, List<VmSeen> vms) {
        this(node, version, pods, vms, Optional.empty());
    }

    /** The same listing, begun after it was known that the books have this version. */
    public LoadNode putBackFrom(long known) {
        return new LoadNode(node, version, pods, vms, Optional.of(known));
    }
}
