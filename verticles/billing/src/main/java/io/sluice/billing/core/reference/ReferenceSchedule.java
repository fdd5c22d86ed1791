package io.sluice.billing.core.reference;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * When the reference takes samples and ends windows. The first sample and the first window start are half a second
 * after its start. Then it samples at each multiple of one period since the start, and ends windows half a second after
 * each multiple of the other. If both fall on one instant, the sample comes first.
 *
 * @param startedAt when it started
 * @param collectEvery interval between samples
 * @param accumulateEvery length of a window
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

    /** The start of the first window, which is the time of the first sample. */
    public Instant firstWindowStart() {
        return startedAt.plus(OFFSET);
    }

    /** Returns the time of the first sample after an instant. */
    public Instant lookAfter(Instant now) {
        var first = firstWindowStart();
        return now.isBefore(first) ? first : multipleAfter(startedAt, collectEvery, now);
    }

    /** Returns the first end of a window after an instant. */
    public Instant windowEndAfter(Instant now) {
        return multipleAfter(firstWindowStart(), accumulateEvery, now);
    }

    /** Returns the first instant after {@code now} that is a multiple of the period, at least one, since the origin. */
    private static Instant multipleAfter(Instant origin, Duration period, Instant now) {
        long passed = now.isBefore(origin) ? 0 : Duration.between(origin, now).dividedBy(period);
        return origin.plus(period.multipliedBy(passed + 1));
    }
}
