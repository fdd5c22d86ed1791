package io.sluice.messages.cluster;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A node exists and has this much to give.
 *
 * @param node its name
 * @param version grows with each change of the node object; an older fact is dropped
 * @param allocatable what the node can give to pods, before any reserve of ours is taken off
 */
public record NodeSeen(String node, long version, Resources allocatable) {
    public NodeSeen {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(allocatable, "allocatable");
    }
}
