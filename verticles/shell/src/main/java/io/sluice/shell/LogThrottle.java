package io.sluice.shell;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Logs a recurring condition at once, and then at a limited rate while it lasts; counts what was not logged. */
public final class LogThrottle {
    private final InstantSource clock;
    private final Duration pause;
    private Optional<Instant> loggedAt = Optional.empty();
    private long unsaid;

    /** @param pause the shortest time between two log lines */
    public LogThrottle(InstantSource clock, Duration pause) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.pause = Objects.requireNonNull(pause, "pause");
    }

    /** Counts an occurrence, and logs if the pause has passed. The logger receives the number since it last logged. */
    public synchronized void happened(long count, LongConsumer speaker) {
        unsaid += count;
        var now = clock.instant();
        if (loggedAt.filter(last -> now.isBefore(last.plus(pause))).isEmpty()) {
            loggedAt = Optional.of(now);
            long all = unsaid;
            unsaid = 0;
            speaker.accept(all);
        }
    }

    /** The condition has ended; logs that if the condition was logged. */
    public synchronized void over(Runnable speaker) {
        if (loggedAt.isPresent()) {
            loggedAt = Optional.empty();
            unsaid = 0;
            speaker.run();
        }
    }
}
