package io.sluice.placement.core.spec;

import java.util.Map;
import java.util.Objects;

/**
 * A persistent volume.
 *
 * @param labels those that name its zone and region count
 * @param affinity the nodes that reach it
 * @param driver its CSI driver; empty for another kind of volume
 * @param handle its name at the driver
 */
public record Volume(String name, Map<String, String> labels, NodeAffinity affinity, String driver, String handle) {
    public Volume {
        Objects.requireNonNull(name, "name");
        labels = Map.copyOf(labels);
        Objects.requireNonNull(affinity, "affinity");
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(handle, "handle");
    }
}
