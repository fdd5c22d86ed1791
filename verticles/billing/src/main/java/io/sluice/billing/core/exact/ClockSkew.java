package io.sluice.billing.core.exact;

import io.sluice.billing.core.VmUse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells a change that arrived late from one whose time another clock recorded. The API server's clock is behind this
 * one by at most the least age that a change had at its arrival. A change that is much older arrived late.
 */
final class ClockSkew {
    /** The least age of this time and of the one before it counts, however long ago that was. */
    static final Duration PERIOD = Duration.ofMinutes(5);

    private Instant begun = Instant.MIN;
    private Optional<Duration> leastBefore = Optional.empty();
    private Optional<Duration> least = Optional.empty();

    /**
     * Adds a change, and returns when it happened if it arrived late.
     *
     * @param before the last observation of the VM; where both have one time, this change did not record its own, as
     *     for a removed annotation
     */
    Optional<Instant> lateSince(VmUse observation, Optional<VmUse> before, Instant now) {
        var at = observation.changedAt();
        if (at.equals(Instant.EPOCH)
                || before.filter(last -> !at.isAfter(last.changedAt())).isPresent()) {
            return Optional.empty();
        }
        var behind = behind(Duration.between(at, now), now);
        var since = behind.compareTo(ExactCollector.LAG) > 0 ? at.plus(behind) : at;
        return Optional.of(since).filter(late -> late.plus(ExactCollector.LAG).isBefore(now));
    }

    /** Returns how far the clock that recorded an age is behind at most. */
    private Duration behind(Duration age, Instant now) {
        if (now.isAfter(begun.plus(PERIOD))) {
            leastBefore = least.or(() -> leastBefore);
            least = Optional.empty();
            begun = now;
        }
        least = Optional.of(least.filter(known -> known.compareTo(age) <= 0).orElse(age));
        return Stream.concat(leastBefore.stream(), least.stream())
                .min(Duration::compareTo)
                .orElse(age);
    }
}
