package io.sluice.placement.core.spec;

import java.util.Objects;

/**
 * A claim of a volume.
 *
 * @param volume to which it is bound; empty if it is not
 * @param state what keeps pods from using it
 * @param onePod whether one pod alone may use it
 */
public record VolumeClaim(String namespace, String name, String volume, State state, boolean onePod) {
    public VolumeClaim {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(state, "state");
    }

    /** Whether pods can use a claim. */
    public enum State {
        USABLE,
        LOST,
        BEING_DELETED
    }
}
