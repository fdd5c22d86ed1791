package io.sluice.billing.wire;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A line that is written beside the bills on this machine: the VM of a usage record, what the ledger held for it, or
 * use that is not billed, or at a wrong size. Account lines are not sent to receivers.
 */
public sealed interface AccountLine {
    /** The VM, endpoint and time of the line. */
    Part part();

    /**
     * A VM's time under one endpoint.
     *
     * @param vm {@code namespace/name}
     * @param driver what applies a size to the VM; empty where a line does not have it, as older ones
     * @param uid the VM's uid
     * @param endpoint the endpoint that pays; may be empty
     * @param start start of the time
     * @param stop end of the time
     */
    record Part(String vm, String driver, String uid, String endpoint, Instant start, Instant stop) {
        public Part {
            Objects.requireNonNull(vm, "vm");
            Objects.requireNonNull(driver, "driver");
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(endpoint, "endpoint");
            Objects.requireNonNull(start, "start");
            Objects.requireNonNull(stop, "stop");
        }
    }

    /**
     * Use that is billed.
     *
     * @param milliCpuNs exact use in milli-CPU times nanoseconds
     * @param heldMilliCpuNs upper bound of what the ledger held for the VM in that time; empty where it is unknown
     */
    record Billed(Part part, BigInteger milliCpuNs, Optional<BigInteger> heldMilliCpuNs) implements AccountLine {
        public Billed {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(milliCpuNs, "milliCpuNs");
            Objects.requireNonNull(heldMilliCpuNs, "heldMilliCpuNs");
        }
    }

    /**
     * Use that is not billed because it is unknown.
     *
     * @param cause why it is unknown
     * @param milliCpu size that the VM had before or has since
     */
    record Unbilled(Part part, String cause, long milliCpu) implements AccountLine {
        public Unbilled {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * Use that is billed at a wrong size, because a change of the VM arrived after its windows were closed.
     *
     * @param milliCpu how much larger the VM was than billed; negative if it was smaller
     */
    record Late(Part part, long milliCpu) implements AccountLine {
        public Late {
            Objects.requireNonNull(part, "part");
        }
    }
}
