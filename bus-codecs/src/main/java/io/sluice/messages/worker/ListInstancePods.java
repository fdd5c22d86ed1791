package io.sluice.messages.worker;

import java.util.Objects;

/**
 * Lists the pods of instances.
 *
 * @param namespace of the pods
 */
public record ListInstancePods(String namespace) {
    public ListInstancePods {
        Objects.requireNonNull(namespace, "namespace");
    }
}
