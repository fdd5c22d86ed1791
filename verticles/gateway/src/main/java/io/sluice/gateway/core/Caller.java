package io.sluice.gateway.core;

import java.util.Objects;
import java.util.Optional;

/**
 * Who asks for pods.
 *
 * @param name for logs: its pod where that is known, or whose token it bears
 * @param onlyNode the node whose pods it may ask for; empty where it may ask for those of any
 */
public record Caller(String name, Optional<String> onlyNode) {
    /** At a door that does not ask. */
    public static final Caller ANYBODY = new Caller("", Optional.empty());

    public Caller {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(onlyNode, "onlyNode");
    }

    boolean mayAskFor(AgentPod member) {
        return onlyNode.isEmpty() || onlyNode.get().equals(member.node());
    }
}
