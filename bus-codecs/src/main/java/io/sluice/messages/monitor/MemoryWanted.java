package io.sluice.messages.monitor;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * A monitor cried for memory. Lost ones are made up for by the monitor, which cries again each second.
 *
 * @param vm which VM
 * @param generation of the session it came by
 */
public record MemoryWanted(VmId vm, long generation) {
    public MemoryWanted {
        Objects.requireNonNull(vm, "vm");
    }
}
