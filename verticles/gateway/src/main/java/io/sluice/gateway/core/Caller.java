package io.sluice.gateway.core;

import java.util.Objects;
import java.util.Optional;

/**
 * The client that requests permits for pods.
 *
 * @param name for logs: its pod if that is known, or the user of its token
 * @param onlyNode the node for whose pods it may request permits; empty if it may request permits for those of any node
 */
public record Caller(String name, Optional<String> onlyNode) {
    /** A client that is not identified. */
    public static final Caller ANYBODY = new Caller("", Optional.empty());

    public Caller {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(onlyNode, "onlyNode");
    }

    public boolean mayRequest(AgentPod pod) {
        return onlyNode.isEmpty() || onlyNode.get().equals(pod.node());
    }
}
