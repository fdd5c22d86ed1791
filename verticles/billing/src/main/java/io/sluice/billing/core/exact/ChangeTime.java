package io.sluice.billing.core.exact;

import io.sluice.billing.core.VmUse;
import java.time.Duration;
import java.time.Instant;

/** When a change of who pays counts from. */
final class ChangeTime {
    private ChangeTime() {}

    /** Whoever sees the same change cuts at the same instant, unless his clock is another one. */
    static Instant of(VmUse fact, Instant least, Instant now) {
        var age = Duration.between(fact.changedAt(), now);
        var at = age.isNegative() || age.compareTo(ExactCollector.LAG) > 0 ? now : fact.changedAt();
        return UsageMeters.later(at, least);
    }
}
