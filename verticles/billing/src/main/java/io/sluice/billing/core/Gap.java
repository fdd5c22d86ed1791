package io.sluice.billing.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Time in which a VM ran and for which nobody is billed, as nobody knows what it used.
 *
 * @param key whose use is not known
 * @param from until when it was known
 * @param to from when it is known again, or it is known that there is none
 * @param milliCpu what the VM had before, or has since: a guess at what is not billed
 * @param cause why it is not known
 */
public record Gap(MeterKey key, Instant from, Instant to, long milliCpu, Cause cause) {
    /** Why a VM's use was not known for a while. */
    public enum Cause {
        /** This program did not run, and the VM changed or came meanwhile. */
        RESTART,
        /** Changes of VMs were not heard of, and the VM changed or came meanwhile. */
        WATCH
    }

    public Gap {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(cause, "cause");
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a gap ends at " + to + " before it begins at " + from);
        }
    }

    /** How long it is. */
    public Duration length() {
        return Duration.between(from, to);
    }
}
