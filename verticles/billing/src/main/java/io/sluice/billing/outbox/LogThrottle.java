package io.sluice.billing.outbox;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Lets something be said at once, and then once a minute for as long as it goes on; counts what was left out. */
final class LogThrottle {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final InstantSource clock;
    private Optional<Instant> said = Optional.empty();
    private long unsaid;

    LogThrottle(InstantSource clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** Something that counts for so many happened; the speaker is told how many there were since it last spoke. */
    synchronized void happened(long count, LongConsumer speaker) {
        unsaid += count;
        var now = clock.instant();
        if (said.filter(last -> now.isBefore(last.plus(PAUSE))).isEmpty()) {
            said = Optional.of(now);
            long all = unsaid;
            unsaid = 0;
            speaker.accept(all);
        }
    }

    /** It is over; that is said if anything was. */
    synchronized void over(Runnable speaker) {
        if (said.isPresent()) {
            said = Optional.empty();
            unsaid = 0;
            speaker.run();
        }
    }
}
