package io.sluice.messages.placement;

import java.util.Objects;

/**
 * Binds a pending pod to a node, once the ledger holds room for it there.
 *
 * @param uid the pod's uid
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param node the node
 */
public record PlacePod(String uid, String namespace, String name, String node) {
    public PlacePod {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
    }
}
