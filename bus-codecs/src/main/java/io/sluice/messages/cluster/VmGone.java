package io.sluice.messages.cluster;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * A VM was deleted. Final for its uid.
 *
 * @param vm its id
 * @param version of the deletion
 */
public record VmGone(VmId vm, long version) {
    public VmGone {
        Objects.requireNonNull(vm, "vm");
    }
}
