package io.sluice.monitor.core;

import java.time.Duration;
import java.time.Instant;

/** Counts within one second after the other, and tells when more comes in one than is let pass. */
public final class MessageRate {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final long most;
    private Instant began;
    private long counted;

    /** One that lets this much pass in a second. */
    public MessageRate(long most, Instant now) {
        this.most = most;
        this.began = now;
    }

    /** Whether it is too much now, with this added. */
    public boolean exceeds(long added, Instant now) {
        if (!now.isBefore(began.plus(SECOND))) {
            began = now;
            counted = 0;
        }
        counted += added;
        return counted > most;
    }
}
