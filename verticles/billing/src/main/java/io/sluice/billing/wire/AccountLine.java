package io.sluice.billing.wire;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What stands beside the bills on this machine: of which VM each is, what the ledger held meanwhile, and what is not
 * billed. Nobody else is told.
 */
public sealed interface AccountLine {
    /** Whose, and for when. */
    Part part();

    /**
     * A VM's time under one endpoint.
     *
     * @param vm as {@code namespace/name}
     * @param uid the VM's
     * @param endpoint who pays; may be empty
     * @param start from when
     * @param stop until when
     */
    record Part(String vm, String uid, String endpoint, Instant start, Instant stop) {
        public Part {
            Objects.requireNonNull(vm, "vm");
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(endpoint, "endpoint");
            Objects.requireNonNull(start, "start");
            Objects.requireNonNull(stop, "stop");
        }
    }

    /**
     * That is billed.
     *
     * @param milliCpuNs what for, exactly: milli-CPU times nanoseconds
     * @param heldMilliCpuNs at most what the ledger held for the VM meanwhile; empty where it was not asked
     */
    record Billed(Part part, BigInteger milliCpuNs, Optional<BigInteger> heldMilliCpuNs) implements AccountLine {
        public Billed {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(milliCpuNs, "milliCpuNs");
            Objects.requireNonNull(heldMilliCpuNs, "heldMilliCpuNs");
        }
    }

    /**
     * That is not billed, as nobody knows what was used.
     *
     * @param cause why not
     * @param milliCpu what the VM had before, or has since
     */
    record Unbilled(Part part, String cause, long milliCpu) implements AccountLine {
        public Unbilled {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(cause, "cause");
        }
    }
}
