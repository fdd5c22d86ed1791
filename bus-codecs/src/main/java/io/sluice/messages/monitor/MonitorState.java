package io.sluice.messages.monitor;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * How the session with a VM's monitor stands: an answer, and an event at each change and every few seconds.
 *
 * @param vm which VM
 * @param generation grows with each session and with each loss of one; what belongs to another one is void
 * @param connected whether the monitor can be asked
 * @param reason why it cannot, in words; empty while it can
 */
public record MonitorState(VmId vm, long generation, boolean connected, String reason) {
    public MonitorState {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(reason, "reason");
    }
}
