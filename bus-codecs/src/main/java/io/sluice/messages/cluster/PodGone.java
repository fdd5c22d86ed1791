package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A pod was deleted or reached a terminal phase. Final for its uid.
 *
 * @param uid the pod's uid
 * @param node the node it was bound to
 * @param version of the deletion
 */
public record PodGone(String uid, String node, long version) {
    public PodGone {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(node, "node");
    }
}
