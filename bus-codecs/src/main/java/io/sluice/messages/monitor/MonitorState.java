package io.sluice.messages.monitor;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * The state of a session with a VM's monitor: a reply, and an event at each change and every few seconds.
 *
 * @param vm which VM
 * @param generation grows with each session and with each loss of one; what belongs to another generation is void.
 *     Generations of two processes do not compare
 * @param connected whether requests can be sent to the monitor
 * @param reason why they cannot, in words; empty while they can
 * @param at the process that has the session: {@link io.sluice.bus.RequestAddress#at} reaches it; empty for a process
 *     that is alone
 */
public record MonitorState(VmId vm, long generation, boolean connected, String reason, String at) {
    /**
     * The generation of a session with a driver that stands for a monitor. Its upscale requests count in any session.
     */
    public static final long OF_DRIVER = 0;

    public MonitorState {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(at, "at");
    }

    /** Of a process that is alone. */
    public MonitorState(VmId vm, long generation, boolean connected, String reason) {
        this(vm, generation, connected, reason, "");
    }

    /** The same, of a session at that process. */
    public MonitorState keptAt(String peer) {
        return new MonitorState(vm, generation, connected, reason, peer);
    }
}
