package io.sluice.neonvm.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of a Lease for one process that holds it or waits for it, from its reads and writes. Instants are readings
 * of one monotonic clock, in nanoseconds.
 *
 * @param self the name in which the process takes the Lease
 * @param sure how long after it was sent a renewal is relied on; less than the time after which others take the Lease
 * @param holder the last observed holder; empty if there is none
 * @param term the number of the Lease's term while this process holds it
 * @param renewedAt when the last accepted renewal was sent
 * @param taken whether another holder has had it since this process did
 */
public record LeaseTerm(
        String self, Duration sure, String holder, Optional<Integer> term, long renewedAt, boolean taken) {
    public LeaseTerm {
        Objects.requireNonNull(self, "self");
        Objects.requireNonNull(sure, "sure");
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(term, "term");
    }

    /** The state before the first read. */
    public static LeaseTerm sought(String self, Duration sure) {
        return new LeaseTerm(self, sure, "", Optional.empty(), 0, false);
    }

    /** The state at an instant. */
    public sealed interface State {
        /** Never held by this process yet. */
        record Sought(String holder) implements State {}

        /** No other holder can have it. */
        record Held() implements State {}

        /** Held before, and not renewed for so long that another holder may have it. */
        record Unsure(Duration sinceRenewal) implements State {}

        /** Held before, and by another holder since. */
        record Taken(String holder) implements State {}
    }

    /** Takes a read of the Lease. */
    public LeaseTerm saw(String subject, int number) {
        boolean others = !subject.isEmpty() && !subject.equals(self);
        boolean later = term.isPresent() && number != term.get();
        return new LeaseTerm(self, sure, subject, term, renewedAt, taken || term.isPresent() && (others || later));
    }

    /** Takes an accepted renewal that was sent at that instant. */
    public LeaseTerm renewed(int number, long sentAt) {
        boolean later = term.isPresent() && number != term.get();
        return new LeaseTerm(self, sure, self, Optional.of(number), sentAt, taken || later);
    }

    /** The state at that reading of the clock. */
    public State at(long now) {
        if (taken) {
            return new State.Taken(holder);
        }
        if (term.isEmpty()) {
            return new State.Sought(holder);
        }
        var since = Duration.ofNanos(now - renewedAt);
        return since.compareTo(sure) < 0 ? new State.Held() : new State.Unsure(since);
    }
}
