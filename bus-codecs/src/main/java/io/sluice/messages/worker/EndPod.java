package io.sluice.messages.worker;

import java.util.Objects;

/**
 * Deletes the pod of an instance.
 *
 * @param namespace of the pod
 * @param name of the pod
 * @param uid of the pod; another one of that name is left alone
 * @param graceSeconds how long it has to end by itself
 */
public record EndPod(String namespace, String name, String uid, int graceSeconds) {
    public EndPod {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
        if (graceSeconds < 0) {
            throw new IllegalArgumentException("graceSeconds must be 0 or more: " + graceSeconds);
        }
    }
}
