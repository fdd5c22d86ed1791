package io.sluice.billing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** Reads the machine's clocks. */
final class MachineClock {
    /** Stays the same while a Linux machine runs, and differs from that of all other machines. */
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final String boot = boot();

    /** On Linux the JVM's monotonic clock is that of the machine, and continues from one process to the next. */
    long nanos() {
        return System.nanoTime();
    }

    BillingClock.Machine read(InstantSource clock) {
        return new BillingClock.Machine(clock.instant(), nanos(), boot);
    }

    BillingClock.Reading status(InstantSource bills) {
        return new BillingClock.Reading(bills.instant(), nanos(), boot);
    }

    /** Empty where the machine has no boot id. Then its monotonic clock is not used across processes. */
    private static String boot() {
        try {
            return Files.readString(BOOT).strip();
        } catch (IOException notLinux) {
            return "";
        }
    }
}
