package io.sluice.neonvm.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a seeker of a Lease stands, by what it has seen and written of it. Instants are readings of one monotonic clock,
 * in nanoseconds.
 *
 * @param self the name that it seeks it in
 * @param sure how long after it was sent a renewal is relied on; less than others wait before they take the lease
 * @param holder who was last seen to hold it; empty for nobody
 * @param term the number of the holder's term, as long as it is this seeker's
 * @param renewedAt when the last renewal was sent that was accepted
 * @param taken whether somebody else has held it since this seeker did
 */
public record LeaseTerm(
        String self, Duration sure, String holder, Optional<Integer> term, long renewedAt, boolean taken) {
    public LeaseTerm {
        Objects.requireNonNull(self, "self");
        Objects.requireNonNull(sure, "sure");
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(term, "term");
    }

    /** One who has seen nothing yet. */
    public static LeaseTerm sought(String self, Duration sure) {
        return new LeaseTerm(self, sure, "", Optional.empty(), 0, false);
    }

    /** How it stands at an instant. */
    public sealed interface Standing {
        /** Never held here yet. */
        record Sought(String holder) implements Standing {}

        /** Nobody else can have it. */
        record Held() implements Standing {}

        /** Held before, and not renewed for so long that somebody else may have it. */
        record Unsure(Duration sinceRenewal) implements Standing {}

        /** Held before, and by somebody else since. */
        record Taken(String holder) implements Standing {}
    }

    /** Somebody's hold was read. */
    public LeaseTerm saw(String whose, int number) {
        boolean others = !whose.isEmpty() && !whose.equals(self);
        boolean later = term.isPresent() && number != term.get();
        return new LeaseTerm(self, sure, whose, term, renewedAt, taken || term.isPresent() && (others || later));
    }

    /** A hold of this seeker was accepted that was sent then. */
    public LeaseTerm renewed(int number, long sentAt) {
        boolean later = term.isPresent() && number != term.get();
        return new LeaseTerm(self, sure, self, Optional.of(number), sentAt, taken || later);
    }

    /** How it stands at that reading of the clock. */
    public Standing at(long now) {
        if (taken) {
            return new Standing.Taken(holder);
        }
        if (term.isEmpty()) {
            return new Standing.Sought(holder);
        }
        var since = Duration.ofNanos(now - renewedAt);
        return since.compareTo(sure) < 0 ? new Standing.Held() : new Standing.Unsure(since);
    }
}
