package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.VmObserved;
import java.util.Objects;
import java.util.Optional;

/**
 * The part of a Kubernetes cluster for which observations are published.
 *
 * @param node the only node; empty for all
 */
public record WatchScope(Optional<String> node) {
    /** The whole Kubernetes cluster. */
    public static final WatchScope CLUSTER = new WatchScope(Optional.empty());

    public WatchScope {
        Objects.requireNonNull(node, "node");
    }

    /** One node and what runs on it. */
    public static WatchScope ofNode(String node) {
        return new WatchScope(Optional.of(node));
    }

    /** Whether a node, and what runs on it, is within the scope. */
    boolean holds(String onNode) {
        return node.isEmpty() || node.get().equals(onNode);
    }

    /** Whether a VM has left the scope. A VM has not left while its node is unknown. */
    boolean hasLeft(VmObserved vm) {
        return !vm.node().isEmpty() && !holds(vm.node());
    }
}
