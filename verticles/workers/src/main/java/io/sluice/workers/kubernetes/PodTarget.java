package io.sluice.workers.kubernetes;

import java.util.Objects;

/**
 * Whether instances may run as pods on nodes of Kubernetes. A process of the same event bus needs the roles cluster and
 * vm.
 *
 * @param enabled whether instances may run as pods
 * @param namespace the namespace of these pods; nothing else should create pods there
 */
public record PodTarget(boolean enabled, String namespace) {
    /** They run on workers alone. */
    public static final PodTarget OFF = new PodTarget(false, "default");

    public PodTarget {
        Objects.requireNonNull(namespace, "workers.kubernetes.namespace");
        if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException("workers.kubernetes.namespace=" + namespace + " is no namespace");
        }
    }
}
