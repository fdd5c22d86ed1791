package io.sluice.pressure.core.migrations;

import java.util.Objects;

/**
 * The pod that a VM leaves.
 *
 * @param node its node
 * @param pod the pod's uid
 * @param podName the pod's name
 */
public record MigrationSource(String node, String pod, String podName) {
    public MigrationSource {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(podName, "podName");
    }
}
