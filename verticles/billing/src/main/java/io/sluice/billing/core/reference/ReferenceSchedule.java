package io.sluice.billing.core.reference;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * When the reference looks and when it ends a window: first both at half a second after its start; then it looks at
 * each multiple of one period since the start, and ends windows half a second after each multiple of the other. Where
 * both fall on one instant, the look comes first.
 *
 * @param startedAt when it started
 * @param collectEvery from look to look
 * @param accumulateEvery from the end of a window to the end of the next
 */
public record ReferenceSchedule(Instant startedAt, Duration collectEvery, Duration accumulateEvery) {
    private static final Duration OFFSET = Duration.ofMillis(500);

    public ReferenceSchedule {
        Objects.requireNonNull(startedAt, "startedAt");
        if (!collectEvery.isPositive()) {
            throw new IllegalArgumentException("collectEvery must be positive: " + collectEvery);
        }
        if (!accumulateEvery.isPositive()) {
            throw new IllegalArgumentException("accumulateEvery must be positive: " + accumulateEvery);
        }
    }

    /** When the first window begins, and the first look is taken. */
    public Instant firstWindowStart() {
        return startedAt.plus(OFFSET);
    }

    /** The first look after this instant. */
    public Instant lookAfter(Instant now) {
        var first = firstWindowStart();
        return now.isBefore(first) ? first : multipleAfter(startedAt, collectEvery, now);
    }

    /** The first end of a window after this instant. */
    public Instant windowEndAfter(Instant now) {
        return multipleAfter(firstWindowStart(), accumulateEvery, now);
    }

    /** The first instant after now that is a multiple of the period, at least one, since the origin. */
    private static Instant multipleAfter(Instant origin, Duration period, Instant now) {
        long passed = now.isBefore(origin) ? 0 : Duration.between(origin, now).dividedBy(period);
        return origin.plus(period.multipliedBy(passed + 1));
    }
}
