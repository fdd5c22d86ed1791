package io.sluice.messages.ledger;

import java.util.List;

/**
 * The books of the nodes asked for, each node at one instant, sorted by name.
 *
 * @param nodes the books
 */
public record Snapshot(List<NodeLedgerView> nodes) {
    public Snapshot {
        nodes = List.copyOf(nodes);
    }
}
