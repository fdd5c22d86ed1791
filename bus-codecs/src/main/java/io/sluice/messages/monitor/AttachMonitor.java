package io.sluice.messages.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.units.VmId;
import java.util.Objects;

/**
 * Keep a session with this VM's monitor. Repeated as a sign of life: a session nobody asks for is closed.
 *
 * @param vm which VM
 * @param endpoint where its monitor answers; another one than before ends the old session
 */
public record AttachMonitor(VmId vm, Endpoint endpoint) {
    public AttachMonitor {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(endpoint, "endpoint");
    }
}
