package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * Requests the current ledger state.
 *
 * @param node the node's name; empty for all nodes
 */
public record SnapshotRequest(String node) {
    public SnapshotRequest {
        Objects.requireNonNull(node, "node");
    }
}
