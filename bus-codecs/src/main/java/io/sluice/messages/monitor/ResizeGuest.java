package io.sluice.messages.monitor;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.Objects;

/**
 * Tells a monitor that its VM has more, or asks it whether its VM may have less.
 *
 * @param vm which VM
 * @param generation the session that this is meant for; in any other it is refused
 * @param target the size to use from now on, or to shrink to
 */
public record ResizeGuest(VmId vm, long generation, Resources target) {
    public ResizeGuest {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(target, "target");
    }
}
