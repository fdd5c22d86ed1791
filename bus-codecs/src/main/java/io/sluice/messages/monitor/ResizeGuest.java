package io.sluice.messages.monitor;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;

/**
 * Notifies a monitor that its VM has grown, or requests its consent to less.
 *
 * @param vm which VM
 * @param generation the session that this is meant for; any other refuses it
 * @param target the VM's new size, or the size to shrink to
 */
public record ResizeGuest(VmId vm, long generation, Resources target) {
    /** A reply arrives within this, or the request is in doubt. */
    public static final Duration REPLY_WITHIN = Duration.ofSeconds(6);

    public ResizeGuest {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(target, "target");
    }
}
