package io.sluice.billing;

import io.sluice.shell.Readiness;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * How far the clock of bills is from the wall clock now. Both are read when it is needed, so that a wall clock that is
 * set later counts too.
 *
 * @param bills the clock of bills
 * @param wall the wall clock
 */
record ClockOffset(InstantSource bills, InstantSource wall) {
    /** Leaders whose clocks are further apart bill time twice, or do not bill it. */
    private static final Duration MOST = Duration.ofSeconds(3);

    /** Reports it as a metric, and as trouble while it is large. */
    static void report(InstantSource bills, BillingMetrics meters, Readiness readiness, String part) {
        var offset = new ClockOffset(bills, InstantSource.system());
        meters.clock(offset);
        readiness.reports(part, "clock", offset::trouble);
    }

    private Duration ahead() {
        return Duration.between(wall.instant(), bills.instant());
    }

    /** Negative where the clock of bills is behind. */
    double seconds() {
        return ahead().toMillis() / 1e3;
    }

    /** Why the next leader may bill wrong times; empty while the clocks agree. */
    Optional<String> trouble() {
        var ahead = ahead();
        return Optional.of(ahead)
                .filter(far -> far.abs().compareTo(MOST) > 0)
                .map(far -> "the clock of bills is " + Durations.text(far.abs().truncatedTo(ChronoUnit.SECONDS))
                        + (far.isNegative() ? " behind" : " ahead of")
                        + " the wall clock: a change of leader may bill as much time twice, or not at all");
    }
}
