package io.sluice.monitor.core;

import java.time.Duration;
import java.time.Instant;

/** Counts per second, and reports when one second exceeds the limit. */
public final class MessageRate {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final long most;
    private Instant began;
    private long counted;

    /** A counter with this limit for each second. */
    public MessageRate(long most, Instant now) {
        this.most = most;
        this.began = now;
    }

    /** Whether the present second exceeds the limit, with this amount added. */
    public boolean exceeds(long added, Instant now) {
        if (!now.isBefore(began.plus(SECOND))) {
            began = now;
            counted = 0;
        }
        counted += added;
        return counted > most;
    }
}
