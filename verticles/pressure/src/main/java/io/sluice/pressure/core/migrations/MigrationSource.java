package io.sluice.pressure.core.migrations;

import java.util.Objects;

/**
 * The member that a VM leaves.
 *
 * @param node its node
 * @param member the pod's uid
 * @param podName the pod's name
 */
public record MigrationSource(String node, String member, String podName) {
    public MigrationSource {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(podName, "podName");
    }
}
