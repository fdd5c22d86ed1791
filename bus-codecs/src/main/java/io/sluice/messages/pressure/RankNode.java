package io.sluice.messages.pressure;

import java.util.Objects;

/**
 * Requests the order in which VMs would leave a node, and the reasons.
 *
 * @param node the node
 */
public record RankNode(String node) {
    public RankNode {
        Objects.requireNonNull(node, "node");
    }
}
