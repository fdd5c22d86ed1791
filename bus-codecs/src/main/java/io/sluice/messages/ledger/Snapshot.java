package io.sluice.messages.ledger;

import java.util.List;

/**
 * The ledger state of the requested nodes, each node at one instant, sorted by name.
 *
 * @param nodes the nodes' ledger state
 */
public record Snapshot(List<NodeLedgerView> nodes) {
    public Snapshot {
        nodes = List.copyOf(nodes);
    }
}
