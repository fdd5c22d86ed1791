package io.sluice.placement.core.spec;

import java.util.Objects;

/**
 * A claim of a volume.
 *
 * @param volume to which it is bound; empty if it is not
 * @param state what keeps pods from using it
 * @param onePod whether one pod alone may use it
 * @param need what its volume must be
 */
public record VolumeClaim(String namespace, String name, String volume, State state, boolean onePod, Need need) {
    public VolumeClaim {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(need, "need");
    }

    /**
     * What the volume of a claim must be.
     *
     * @param uid of the claim
     * @param version of the claim
     * @param kind of its volume
     * @param bytes at least
     * @param selector of the labels of existing volumes
     * @param selectedNode for which a volume is being made; empty if none is
     */
    public record Need(
            String uid, long version, Volume.Kind kind, long bytes, LabelSelector selector, String selectedNode) {
        public Need {
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(selector, "selector");
            Objects.requireNonNull(selectedNode, "selectedNode");
        }
    }

    /** Whether pods can use a claim. */
    public enum State {
        USABLE,
        LOST,
        BEING_DELETED
    }
}
