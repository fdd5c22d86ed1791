package io.sluice.neonvm.core;

import io.sluice.messages.cluster.VmObserved;
import java.util.Objects;
import java.util.Optional;

/**
 * Of how much of a cluster facts are told.
 *
 * @param node the only node; empty for all of them
 */
public record WatchScope(Optional<String> node) {
    /** All of it. */
    public static final WatchScope CLUSTER = new WatchScope(Optional.empty());

    public WatchScope {
        Objects.requireNonNull(node, "node");
    }

    /** What runs on one node. */
    public static WatchScope ofNode(String node) {
        return new WatchScope(Optional.of(node));
    }

    /** Whether what runs on a node is within it. */
    boolean holds(String onNode) {
        return node.isEmpty() || node.get().equals(onNode);
    }

    /** Where a VM runs may not be known for a moment; then it has not left. */
    boolean hasLeft(VmObserved vm) {
        return !vm.node().isEmpty() && !holds(vm.node());
    }
}
