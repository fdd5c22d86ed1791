package io.sluice.billing.core.exact;

import io.sluice.billing.core.VmUse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Computes the instant from which a change counts. */
final class ChangeTime {
    /** Objects record their changes in whole seconds. */
    static final Duration RECORDED_IN = Duration.ofSeconds(1);

    private ChangeTime() {}

    /**
     * When a change of endpoint, node or phase counts: at its recorded second, which is the same for every process. It
     * may begin a usage record.
     *
     * @param lateSince when the change happened if it arrived late
     */
    static Instant ofBoundary(VmUse observation, Optional<Instant> lateSince, Instant least, Instant now) {
        return UsageMeters.later(recorded(observation, lateSince, now).orElse(now), least);
    }

    /** When a change of size counts: at its arrival, or at the end of its recorded second if it arrived later. */
    static Instant ofSize(VmUse observation, Optional<Instant> lateSince, Instant now) {
        return recorded(observation, lateSince, now)
                .map(recorded -> withinSecond(recorded, now))
                .orElse(now);
    }

    private static Optional<Instant> recorded(VmUse observation, Optional<Instant> lateSince, Instant now) {
        return lateSince.or(() -> Optional.of(observation.changedAt()).filter(at -> isRecorded(observation, now)));
    }

    /**
     * When a VM that changed in a silence had its present size at the latest, as an object records its last change. It
     * is {@code now} if the recorded instant is not within the silence, since another clock may have written it.
     */
    static Instant ofMissed(VmUse observation, Instant silentFrom, Instant now) {
        return isMissed(observation, silentFrom, now) ? withinSecond(observation.changedAt(), now) : now;
    }

    /** The same for a change that begins a usage record. */
    static Instant ofMissedBoundary(VmUse observation, Instant silentFrom, Instant now) {
        return isMissed(observation, silentFrom, now) ? observation.changedAt() : now;
    }

    private static boolean isMissed(VmUse observation, Instant silentFrom, Instant now) {
        return !observation.changedAt().isAfter(now)
                && !observation.changedAt().isBefore(silentFrom.minus(ExactCollector.LAG));
    }

    private static Instant withinSecond(Instant recorded, Instant now) {
        var end = recorded.plus(RECORDED_IN);
        return end.isBefore(now) ? end : now;
    }

    /** A time that is in the future, or older than {@link ExactCollector#LAG}, may be that of another clock. */
    private static boolean isRecorded(VmUse observation, Instant now) {
        var age = Duration.between(observation.changedAt(), now);
        return !age.isNegative() && age.compareTo(ExactCollector.LAG) <= 0;
    }
}
