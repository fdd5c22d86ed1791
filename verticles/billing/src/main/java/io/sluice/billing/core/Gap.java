package io.sluice.billing.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Time in which a VM ran and is not billed, because its use is unknown. With the cause {@link Cause#LATE} the time is
 * billed at a wrong size.
 *
 * @param key the VM and its endpoint
 * @param from the instant up to which use is known
 * @param to the instant from which use is known again, or the VM is known to be gone
 * @param milliCpu size that the VM had before or has since: an estimate of what is not billed; for {@code LATE} how
 *     much larger the VM was than billed, negative if it was smaller
 * @param cause why the use is unknown
 */
public record Gap(MeterKey key, Instant from, Instant to, long milliCpu, Cause cause) {
    /** Why the use of a VM is unknown. */
    public enum Cause {
        /** This program did not run, and the VM changed or began meanwhile. */
        RESTART,
        /** Changes of VMs were not received, and the VM changed or began meanwhile. */
        WATCH,
        /** A change arrived after windows were closed, which have what the VM had before it. */
        LATE
    }

    public Gap {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(cause, "cause");
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a gap ends at " + to + " before it begins at " + from);
        }
    }

    /** The length of the gap. */
    public Duration length() {
        return Duration.between(from, to);
    }
}
