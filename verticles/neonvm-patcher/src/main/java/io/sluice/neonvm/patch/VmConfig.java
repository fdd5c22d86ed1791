package io.sluice.neonvm.patch;

import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * Section {@code vm}: what is written to VM objects and their pods besides sizes.
 *
 * @param writeApproved whether a VM's permit is written to its annotations, for other tools and for a ledger without
 *     state
 * @param approvedEvery how long a change that no patch of the VM's size carries waits to be written to its annotations;
 *     at least 1s
 * @param writeEvents whether a VM gets a Kubernetes Event when it was denied a size, when its monitor denied downscales
 *     for long, and when it was migrated
 * @param mirrorRequests whether the requests of runner pods follow what the ledger charges for them, for schedulers and
 *     node autoscalers that read requests; needs the rights to get pods and to patch pods/resize
 */
public record VmConfig(boolean writeApproved, Duration approvedEvery, boolean writeEvents, boolean mirrorRequests) {
    private static final Duration APPROVED_EVERY_MIN = Duration.ofSeconds(1);

    /** The values for keys that are not set. */
    public static final VmConfig DEFAULTS = new VmConfig(true, Duration.ofSeconds(30), true, false);

    public VmConfig {
        if (approvedEvery.compareTo(APPROVED_EVERY_MIN) < 0) {
            throw new IllegalArgumentException("vm.approvedEvery=" + Durations.text(approvedEvery)
                    + " must be at least " + Durations.text(APPROVED_EVERY_MIN));
        }
    }
}
