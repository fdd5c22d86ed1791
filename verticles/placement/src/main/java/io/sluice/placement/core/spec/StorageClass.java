package io.sluice.placement.core.spec;

import java.util.Objects;

/**
 * A class of volumes.
 *
 * @param waitsForPod whether a claim gets its volume only once its pod's node is chosen
 * @param makesVolumes whether a provisioner makes volumes, and not only existing ones are used
 * @param topology the nodes for which volumes can be made
 */
public record StorageClass(String name, boolean waitsForPod, boolean makesVolumes, NodeAffinity topology) {
    public StorageClass {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(topology, "topology");
    }
}
