package io.sluice.billing.core.exact;

import io.sluice.billing.core.VmUse;
import java.time.Duration;
import java.time.Instant;

/** Computes the instant from which a change of endpoint, node or phase counts. */
final class ChangeTime {
    private ChangeTime() {}

    /**
     * All processes that observe a change return the same instant. If the change's time is in the future or older than
     * {@link ExactCollector#LAG}, another clock wrote it, and {@code now} counts instead.
     */
    static Instant of(VmUse observation, Instant least, Instant now) {
        var age = Duration.between(observation.changedAt(), now);
        var at = age.isNegative() || age.compareTo(ExactCollector.LAG) > 0 ? now : observation.changedAt();
        return UsageMeters.later(at, least);
    }
}
