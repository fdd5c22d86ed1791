package io.sluice.messages.monitor;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * The session with this VM's monitor is no longer needed.
 *
 * @param vm which VM
 */
public record DetachMonitor(VmId vm) {
    public DetachMonitor {
        Objects.requireNonNull(vm, "vm");
    }
}
