package io.sluice.messages.monitor;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * A monitor's upscale request. A lost one is made up for by the monitor, which repeats it each second.
 *
 * @param vm which VM
 * @param generation of its session
 * @param at the process that has that session, as in {@link MonitorState}
 */
public record UpscaleRequest(VmId vm, long generation, String at) {
    public UpscaleRequest {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(at, "at");
    }

    /** From a process that is alone. */
    public UpscaleRequest(VmId vm, long generation) {
        this(vm, generation, "");
    }
}
