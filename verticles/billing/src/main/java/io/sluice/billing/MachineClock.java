package io.sluice.billing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** Reads the machine's clocks. */
final class MachineClock {
    /** The same for as long as a Linux machine runs, and no other machine's. */
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final String boot = boot();

    /** On Linux the JVM's monotonic clock is the machine's, and counts on from one process to the next. */
    long nanos() {
        return System.nanoTime();
    }

    BillingClock.Machine read(InstantSource clock) {
        return new BillingClock.Machine(clock.instant(), nanos(), boot);
    }

    BillingClock.Standing standing(InstantSource bills) {
        return new BillingClock.Standing(bills.instant(), nanos(), boot);
    }

    /** Empty where the machine's run has no name: then its clock is not relied on across processes. */
    private static String boot() {
        try {
            return Files.readString(BOOT).strip();
        } catch (IOException notLinux) {
            return "";
        }
    }
}
