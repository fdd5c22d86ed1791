package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What a fact about a VM means to whoever bills for it.
 *
 * @param vm the VM
 * @param version grows with each change of the VM; an older fact is dropped
 * @param use who is billed, and for how much; empty while nobody is
 * @param changedAt when the VM last changed, in whole seconds, by the clock of whoever keeps it; the epoch where that
 *     is not said
 */
public record VmUse(VmId vm, long version, Optional<Use> use, Instant changedAt) {
    /**
     * CPU that somebody is billed for.
     *
     * @param endpoint who; may be empty, which is an endpoint too
     * @param milliCpu how much
     */
    public record Use(String endpoint, long milliCpu) {
        public Use {
            Objects.requireNonNull(endpoint, "endpoint");
            if (milliCpu < 0) {
                throw new IllegalArgumentException("milliCpu must not be negative: " + milliCpu);
            }
        }
    }

    public VmUse {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(use, "use");
        Objects.requireNonNull(changedAt, "changedAt");
    }
}
