package io.sluice.messages.agent;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM is being given another size, or its load asks for one: for whoever keeps books of scaling. Sizes are in
 * thousandths of the compute unit that people outside reckon in.
 *
 * @param kind which of the two
 * @param vm which VM
 * @param endpointId the database endpoint that it serves, by its label; empty where it serves none
 * @param at when
 * @param currentMilliCu what it has
 * @param targetMilliCu what it is to have, or would have if nothing bounded it
 * @param cpuCu the part of a {@link Kind#HYPOTHETICAL} target that its CPU asks for, in whole compute units and
 *     fractions of them; empty where it was not computed
 * @param memoryCu likewise its memory's
 * @param lfcCu likewise its file cache's
 */
public record ScalingNoted(
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
        /** The VM's driver is being told the size. */
        ACTUAL,
        /** The VM's metrics ask for the size. */
        HYPOTHETICAL
    }

    public ScalingNoted {
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
