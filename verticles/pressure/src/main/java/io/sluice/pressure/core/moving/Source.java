package io.sluice.pressure.core.moving;

import java.util.Objects;

/**
 * The member that a VM leaves.
 *
 * @param node its node
 * @param member the pod's uid
 * @param podName the pod's name
 */
public record Source(String node, String member, String podName) {
    public Source {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(podName, "podName");
    }
}
