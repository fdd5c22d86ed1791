package io.sluice.messages.placement;

import java.util.Objects;

/**
 * A decision about a pod that is to be placed, with its reason; or what else a pod's operator should see.
 *
 * @param kind what was decided
 * @param uid the pod's uid
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param node the node that was chosen; empty where none was
 * @param reason in words, with the numbers of the part that refused
 */
public record PlacementDecision(Kind kind, String uid, String namespace, String name, String node, String reason) {
    /** What was decided. */
    public enum Kind {
        /** No requested node can take the pod. It is published again when the reason changes. */
        WAITS,
        /** The pod is bound to the node. */
        PLACED,
        /** The pod was not bound to the node, or it is unknown whether it was. */
        NOT_PLACED,
        /** The ledger found the pod bound to the node without a hold. */
        ARRIVED,
        /** The pod is evicted from the node: for another one of higher priority, or for want of room for its growth. */
        EVICTED,
        /** The limits of its control groups on the node are not those of its status. */
        LIMITS_DIFFER
    }

    public PlacementDecision {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(reason, "reason");
    }

    /** The pod, as {@code namespace/name}. */
    public String label() {
        return namespace + "/" + name;
    }
}
