package io.sluice.messages.vm;

import java.util.Objects;

/**
 * Creates the Binding of a pod.
 *
 * @param uid the pod's uid, which the Binding carries
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param node the node to bind it to
 */
public record BindPod(String uid, String namespace, String name, String node) {
    public BindPod {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
    }
}
