package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What a VM's load and its monitor's upscale request ask for, without regard to a denied downscale.
 *
 * @param size within the VM's bounds
 * @param unbounded what each kind asks for by itself, in whole compute units and without the bounds
 * @param known whether the load is known, or an upscale request counts
 * @param complete whether no metrics are missing: without them the VM is not made smaller
 * @param denied whether a denied downscale keeps the VM above it
 */
public record Demand(Resources size, Resources unbounded, boolean known, boolean complete, boolean denied) {
    public Demand {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(unbounded, "unbounded");
    }
}
