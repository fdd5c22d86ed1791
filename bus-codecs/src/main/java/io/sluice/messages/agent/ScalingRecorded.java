package io.sluice.messages.agent;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A record of a VM's scaling, for scaling events. Sizes are in thousandths of the compute unit of the events'
 * consumers.
 *
 * @param kind which of the two
 * @param vm which VM
 * @param endpointId the database endpoint that it serves, by its label; empty where it serves none
 * @param at when
 * @param currentMilliCu its size
 * @param targetMilliCu its size to be, or the size that it would get without bounds
 * @param cpuCu the CPU's demand of a {@link Kind#HYPOTHETICAL} target, in compute units and fractions of them; empty
 *     where it was not computed
 * @param memoryCu likewise the memory's
 * @param lfcCu likewise the file cache's
 */
public record ScalingRecorded(
        Kind kind,
        VmId vm,
        String endpointId,
        Instant at,
        long currentMilliCu,
        long targetMilliCu,
        Optional<Double> cpuCu,
        Optional<Double> memoryCu,
        Optional<Double> lfcCu) {
    /** Whether the VM changes. */
    public enum Kind {
        /** The VM is patched to the size. */
        ACTUAL,
        /** The VM's metrics ask for the size. */
        HYPOTHETICAL
    }

    public ScalingRecorded {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(endpointId, "endpointId");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(cpuCu, "cpuCu");
        Objects.requireNonNull(memoryCu, "memoryCu");
        Objects.requireNonNull(lfcCu, "lfcCu");
        if (currentMilliCu < 0 || targetMilliCu < 0) {
            throw new IllegalArgumentException(
                    "sizes must not be negative: " + currentMilliCu + " to " + targetMilliCu + " milli-CU");
        }
    }
}
