package io.sluice.messages.pressure;

import java.util.Objects;

/**
 * Who would leave a node first, and why?
 *
 * @param node the node
 */
public record RankNode(String node) {
    public RankNode {
        Objects.requireNonNull(node, "node");
    }
}
