package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A node was deleted.
 *
 * @param node its name
 * @param version of the deletion; a newer {@link NodeObserved} brings the node back
 */
public record NodeGone(String node, long version) {
    public NodeGone {
        Objects.requireNonNull(node, "node");
    }
}
