package io.sluice.neonvm;

import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * Section {@code lease}: which of several installations of this program serves a cluster.
 *
 * @param enabled whether a process that hands the cluster's facts to a ledger must hold the lease before; false where
 *     its objects are nobody else's
 * @param namespace where the Lease stands
 * @param name of the Lease: one for each scheduler's name
 * @param duration how long after the last renewal another installation takes it; nothing is granted after two thirds
 */
public record LeaseConfig(boolean enabled, String namespace, String name, Duration duration) {
    private static final Duration DURATION_MIN = Duration.ofSeconds(3);

    /** What holds where no key is set. */
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

    /** How long a renewal is relied on. */
    Duration sure() {
        return duration.multipliedBy(2).dividedBy(3);
    }

    /** How often it is renewed, or looked at. */
    Duration renewEvery() {
        return duration.dividedBy(8);
    }
}
