package io.sluice.placement.core.spec;

import java.util.Objects;

/** A volume that is attached to a node, or is to be. */
public record VolumeAttachment(String name, String node, String driver, String volume) {
    public VolumeAttachment {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(volume, "volume");
    }
}
