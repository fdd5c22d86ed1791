package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What a VM's load and its monitor's cry ask for, whatever the monitor refused to give back.
 *
 * @param size within the VM's bounds
 * @param unbounded what each kind asks for by itself, in whole compute units and without the bounds
 * @param known whether anything is known of the load, or a cry counts
 * @param complete whether no metrics are missing: without them the VM is not made smaller
 * @param vetoed whether what the monitor refused keeps the VM above it
 */
public record Demand(Resources size, Resources unbounded, boolean known, boolean complete, boolean vetoed) {
    public Demand {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(unbounded, "unbounded");
    }
}
