package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * Asks for the books of a node as they are now.
 *
 * @param node its name; empty asks for all nodes
 */
public record SnapshotRequest(String node) {
    public SnapshotRequest {
        Objects.requireNonNull(node, "node");
    }
}
