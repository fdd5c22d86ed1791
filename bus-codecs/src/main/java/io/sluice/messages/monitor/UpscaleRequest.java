package io.sluice.messages.monitor;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * A monitor cried for memory. Lost ones are made up for by the monitor, which cries again each second.
 *
 * @param vm which VM
 * @param generation of the session it came by
 * @param at the process that keeps that session, as in {@link MonitorState}
 */
public record UpscaleRequest(VmId vm, long generation, String at) {
    public UpscaleRequest {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(at, "at");
    }

    /** By a process that is alone. */
    public UpscaleRequest(VmId vm, long generation) {
        this(vm, generation, "");
    }
}
