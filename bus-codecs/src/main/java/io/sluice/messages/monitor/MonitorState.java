package io.sluice.messages.monitor;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * How the session with a VM's monitor stands: an answer, and an event at each change and every few seconds.
 *
 * @param vm which VM
 * @param generation grows with each session and with each loss of one; what belongs to another one is void. Those of
 *     two processes do not compare
 * @param connected whether the monitor can be asked
 * @param reason why it cannot, in words; empty while it can
 * @param at the process that keeps the session: {@link io.sluice.bus.RequestAddress#at} reaches it; empty for one that
 *     is alone
 */
public record MonitorState(VmId vm, long generation, boolean connected, String reason, String at) {
    public MonitorState {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(at, "at");
    }

    /** Of a process that is alone. */
    public MonitorState(VmId vm, long generation, boolean connected, String reason) {
        this(vm, generation, connected, reason, "");
    }

    /** The same, kept by that process. */
    public MonitorState keptAt(String peer) {
        return new MonitorState(vm, generation, connected, reason, peer);
    }
}
