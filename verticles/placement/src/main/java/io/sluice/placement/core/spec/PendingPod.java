package io.sluice.placement.core.spec;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A pod that is to be placed.
 *
 * @param charge what it would add to a node's reservations
 */
public record PendingPod(PodSpec spec, Resources charge) {
    public PendingPod {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(charge, "charge");
    }
}
