package io.sluice.agent.core.scaling;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Periods that began at some instant. A period of length {@code d} from {@code t} is over at {@code t + d} exactly. */
final class Periods {
    private Periods() {}

    /** The rest of the period; empty when it is over or never began. */
    static Optional<Duration> rest(Optional<Instant> since, Duration length, Instant now) {
        return since.flatMap(began -> until(began.plus(length), now));
    }

    /** How long until {@code end}; empty when that is not ahead. */
    static Optional<Duration> until(Instant end, Instant now) {
        return now.isBefore(end) ? Optional.of(Duration.between(now, end)) : Optional.empty();
    }

    /** The shorter of two waits, of which either may be missing. */
    static Optional<Duration> sooner(Optional<Duration> one, Optional<Duration> other) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(one.get().compareTo(other.get()) <= 0 ? one.get() : other.get())
                : one.or(() -> other);
    }
}
