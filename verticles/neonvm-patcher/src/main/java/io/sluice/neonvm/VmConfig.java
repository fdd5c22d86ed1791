package io.sluice.neonvm;

import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * Section {@code vm}: what is written to VM objects beside their sizes.
 *
 * @param writeApproved whether what the ledger booked for a VM is written to its annotations, where other tools and the
 *     next start from nothing find it
 * @param approvedEvery a VM's annotations are written no more often than this, and at least 1s apart
 * @param writeEvents whether a Kubernetes Event stands on a VM that was denied a size, vetoed for long or moved
 */
public record VmConfig(boolean writeApproved, Duration approvedEvery, boolean writeEvents) {
    private static final Duration APPROVED_EVERY_MIN = Duration.ofSeconds(1);

    /** What holds where no key is set. */
    public static final VmConfig DEFAULTS = new VmConfig(true, APPROVED_EVERY_MIN, true);

    public VmConfig {
        if (approvedEvery.compareTo(APPROVED_EVERY_MIN) < 0) {
            throw new IllegalArgumentException("vm.approvedEvery=" + Durations.text(approvedEvery)
                    + " must be at least " + Durations.text(APPROVED_EVERY_MIN));
        }
    }
}
