package io.sluice.messages.placement;

import java.util.Objects;

/**
 * Requests pods that wait for a node.
 *
 * @param pod one of them, as {@code namespace/name}, with what each node lacks for it; empty for all, without nodes
 * @param most the largest number of pods in the reply
 */
public record ListPendingPods(String pod, int most) {
    public ListPendingPods {
        Objects.requireNonNull(pod, "pod");
        if (most < 1) {
            throw new IllegalArgumentException("most must be at least 1, not " + most);
        }
    }
}
