package io.sluice.messages.ledger;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * All pods and VMs of a node from one full list. An incomplete node becomes complete by it; on a complete one it
 * removes what the list no longer contains.
 *
 * <p>A list may be late: older than the state that the ledger lost, or older than a list that it took since. So a list
 * that begins a node's ledger state anew names what the ledger last replied, and only a list that was requested after
 * that reply was received may name it. An incomplete node replies with its incarnation. A complete one replies with the
 * version of its list: where a list requested after that has an older version, the API server's store was restored to
 * an earlier state.
 *
 * @param node the node itself
 * @param version of the list: reservations last observed at or before it and not in it are gone
 * @param pods every pod that counts there
 * @param vms the VMs that run in those pods
 * @param relist what the ledger replied before this list was requested; empty where nothing was received
 */
public record LoadNode(
        NodeObserved node, long version, List<PodObserved> pods, List<VmObserved> vms, Optional<Long> relist) {
    /** Older than any list. */
    public static final long NEVER = Long.MIN_VALUE;

    public LoadNode {
        Objects.requireNonNull(relist, "relist");
        Objects.requireNonNull(node, "node");
        pods = List.copyOf(pods);
        vms = List.copyOf(vms);
    }

    /** A list that was requested before the ledger replied anything. */
    public LoadNode(NodeObserved node, long version, List<PodObserved> pods, List<VmObserved> vms) {
        this(node, version, pods, vms, Optional.empty());
    }

    /** A request without a list: it changes nothing, and the reply has what the next list must name. */
    public static LoadNode ahead(NodeObserved node) {
        return new LoadNode(node, NEVER, List.of(), List.of());
    }

    /** Whether it has no list. */
    public boolean isAhead() {
        return version == NEVER;
    }

    /** The same list, requested after that reply was received. */
    public LoadNode relist(long replied) {
        return new LoadNode(node, version, pods, vms, Optional.of(replied));
    }
}
