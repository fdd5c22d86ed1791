package io.sluice.neonvm.lease;

import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * Section {@code lease}: which of several installations of Sluice serves a Kubernetes cluster.
 *
 * @param enabled whether a process must hold the Lease before it sends observations to a ledger; false where no other
 *     installation uses the Kubernetes cluster
 * @param namespace the namespace of the Lease
 * @param name the name of the Lease: one for each scheduler name
 * @param duration the time after the last renewal at which another installation takes the Lease; the holder grants
 *     nothing after two thirds of it
 */
public record LeaseConfig(boolean enabled, String namespace, String name, Duration duration) {
    private static final Duration DURATION_MIN = Duration.ofSeconds(3);

    /** The values for keys that are not set. */
    public static final LeaseConfig DEFAULTS = new LeaseConfig(true, "kube-system", "sluice", Duration.ofSeconds(15));

    public LeaseConfig {
        named("lease.namespace", namespace);
        named("lease.name", name);
        if (duration.compareTo(DURATION_MIN) < 0 || duration.toNanosPart() != 0) {
            throw new IllegalArgumentException("lease.duration=" + Durations.text(duration)
                    + " must be whole seconds, at least " + Durations.text(DURATION_MIN));
        }
    }

    private static void named(String key, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(key + " must be a name, not blank");
        }
    }

    /** The Lease of the process that places pods without kube-scheduler, beside this one. */
    public LeaseConfig ofScheduler() {
        return new LeaseConfig(enabled, namespace, name + "-placement", duration);
    }

    /** How long a renewal may be relied on. */
    Duration sure() {
        return duration.multipliedBy(2).dividedBy(3);
    }

    /** The interval between renewals, or between reads while another holder has the Lease. */
    Duration renewEvery() {
        return duration.dividedBy(8);
    }
}
