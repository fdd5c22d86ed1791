package io.sluice.messages.vm;

import java.util.Objects;

/**
 * Writes to the status of a pod that waits on which node room is made for it.
 *
 * @param uid the pod's uid; another pod of that name does not count
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param node the node; empty where no room is made any more
 */
public record NominateNode(String uid, String namespace, String name, String node) {
    public NominateNode {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
    }
}
