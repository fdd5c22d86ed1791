package io.sluice.cluster;

import java.time.Duration;

/** For how long a fault may keep VMs without an answer. A run fails at twice that. */
enum Goal {
    /** {@code kill -9} of one process. */
    KILLED(Duration.ofSeconds(1), Duration.ofSeconds(3)),
    /** One process stands still, or one side of a cut has the majority. */
    LEFT_OUT(Duration.ofSeconds(8), Duration.ofSeconds(8)),
    /** None is set, as where the majority itself is lost. */
    NONE(Duration.ofDays(1), Duration.ofDays(1));

    private static final int FACTOR = 2;

    private final Duration median;
    private final Duration worst;

    Goal(Duration median, Duration worst) {
        this.median = median;
        this.worst = worst;
    }

    /** A round in which a VM waits longer fails. */
    long worstMsMax() {
        return FACTOR * worst.toMillis();
    }

    /** A run fails where the median of its rounds is longer. */
    long medianMsMax() {
        return FACTOR * median.toMillis();
    }
}
