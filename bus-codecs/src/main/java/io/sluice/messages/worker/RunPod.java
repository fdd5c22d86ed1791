package io.sluice.messages.worker;

import java.util.Objects;

/**
 * Creates the pod of an instance on the node that its object names.
 *
 * @param namespace of the pod
 * @param name of the pod; the same one for a repeat
 * @param object the pod, as JSON; it may have secrets
 */
public record RunPod(String namespace, String name, String object) {
    public RunPod {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(object, "object");
    }

    /** Keeps the object out of logs. */
    @Override
    public String toString() {
        return "pod " + namespace + "/" + name;
    }
}
