package io.sluice.messages.cluster;

import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * The sizes of a VM, from its object.
 *
 * @param min it is never scaled below this
 * @param max it is never scaled above this
 * @param spec the size in its spec
 * @param status the size in its status; empty until its driver reports one
 * @param slotBytes memory comes in whole slots of this many bytes
 */
public record VmSizes(Resources min, Resources max, Resources spec, Optional<Resources> status, long slotBytes) {
    public VmSizes {
        Objects.requireNonNull(min, "min");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(status, "status");
        if (slotBytes < 1) {
            throw new IllegalArgumentException("a memory slot has at least one byte: " + slotBytes);
        }
        if (min.exceeds(max)) {
            throw new IllegalArgumentException("min " + min + " is above max " + max);
        }
    }

    /** The larger of spec and status. */
    public Resources inUse() {
        return status.map(spec::max).orElse(spec);
    }
}
