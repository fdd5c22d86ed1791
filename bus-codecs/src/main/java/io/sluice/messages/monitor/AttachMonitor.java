package io.sluice.messages.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.units.VmId;
import java.util.Objects;

/**
 * Opens a session with a VM's monitor. It is repeated to keep the session: a session that is no longer requested is
 * closed.
 *
 * @param vm which VM
 * @param endpoint where its monitor listens; another endpoint than before ends the old session
 */
public record AttachMonitor(VmId vm, Endpoint endpoint) {
    public AttachMonitor {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(endpoint, "endpoint");
    }
}
