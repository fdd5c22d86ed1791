package io.sluice.messages.cluster;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * A node exists and has this much to give.
 *
 * @param node its name
 * @param version grows with each change of the node object; an older fact is dropped
 * @param allocatable what the node can give to pods, before any reserve of ours is taken off
 * @param closed why nothing new may go there, whoever it is, in words that follow "is": {@code cordoned}; empty where
 *     it may
 * @param taints what keeps away whoever does not tolerate it, each as {@code key=value:effect}; sorted
 * @param ready whether its kubelet says that it is: condition Ready is neither False nor Unknown
 */
public record NodeObserved(
        String node, long version, Resources allocatable, String closed, List<String> taints, boolean ready) {
    public NodeObserved {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(allocatable, "allocatable");
        Objects.requireNonNull(closed, "closed");
        taints = List.copyOf(taints);
    }

    /** A node that is ready and keeps nobody away. */
    public NodeObserved(String node, long version, Resources allocatable) {
        this(node, version, allocatable, "", List.of(), true);
    }
}
