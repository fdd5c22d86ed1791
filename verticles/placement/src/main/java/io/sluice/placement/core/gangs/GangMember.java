package io.sluice.placement.core.gangs;

import java.util.Objects;

/**
 * A pod of a gang, as observed.
 *
 * @param node to which it is bound; empty if it waits
 * @param gated whether it has scheduling gates, or is being deleted before it was bound
 */
public record GangMember(
        String uid,
        String namespace,
        String name,
        GangKey gang,
        int priority,
        String node,
        boolean gated,
        End end,
        boolean running) {
    /** How a pod ended. */
    public enum End {
        NONE,
        SUCCEEDED,
        FAILED
    }

    public GangMember {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(gang, "gang");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(end, "end");
    }

    /** Whether it waits for a node. */
    public boolean isPending() {
        return node.isEmpty() && end == End.NONE;
    }

    /** Whether it is on a node and has not ended. */
    public boolean isBound() {
        return !node.isEmpty() && end == End.NONE;
    }
}
