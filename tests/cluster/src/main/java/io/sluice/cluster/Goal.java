package io.sluice.cluster;

import java.time.Duration;

/** How long a fault may leave VMs without a permit. A run fails at twice that. */
enum Goal {
    /** {@code kill -9} of one process. */
    KILLED(Duration.ofSeconds(1), Duration.ofSeconds(3)),
    /** One process is frozen, or one side of a cut has the majority. */
    LEFT_OUT(Duration.ofSeconds(8), Duration.ofSeconds(8)),
    /** No goal, for faults that take the majority away. */
    NONE(Duration.ofDays(1), Duration.ofDays(1));

    private static final int FACTOR = 2;

    private final Duration median;
    private final Duration worst;

    Goal(Duration median, Duration worst) {
        this.median = median;
        this.worst = worst;
    }

    /** A round fails if a VM waits longer. */
    long worstMsMax() {
        return FACTOR * worst.toMillis();
    }

    /** A run fails if the median of its rounds is longer. */
    long medianMsMax() {
        return FACTOR * median.toMillis();
    }
}
