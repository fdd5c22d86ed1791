package io.sluice.messages.placement;

import java.util.Objects;

/**
 * Requests what would let a node take a pod that waits.
 *
 * @param pod as {@code namespace/name}
 */
public record PodGrantQuery(String pod) {
    public PodGrantQuery {
        Objects.requireNonNull(pod, "pod");
    }
}
