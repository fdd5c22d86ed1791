package io.sluice.billing;

import io.sluice.billing.outbox.QueueLimit;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * How much may wait for one sink.
 *
 * @param maxBytes what waits takes at most so many bytes
 * @param maxAge the oldest that waits is no older
 * @param whenFull what happens beyond: {@code block}, windows grow until there is room; {@code drop_oldest}, the oldest
 *     is lost, which is counted and logged
 */
public record OutboxConfig(long maxBytes, Duration maxAge, QueueLimit.Overflow whenFull) {
    private static final long BYTES_LEAST = 1L << 16;
    private static final long BYTES_MOST = 1L << 40;
    private static final Duration AGE_LEAST = Duration.ofMinutes(1);

    public OutboxConfig {
        Objects.requireNonNull(maxAge, "maxAge");
        Objects.requireNonNull(whenFull, "whenFull");
    }

    /** Checked, as only the owner knows the section's name. */
    QueueLimit limit(String section) {
        if (maxBytes < BYTES_LEAST || maxBytes > BYTES_MOST) {
            throw new IllegalArgumentException(
                    section + ".maxBytes=" + maxBytes + " must be between " + BYTES_LEAST + " and " + BYTES_MOST);
        }
        if (maxAge.compareTo(AGE_LEAST) < 0) {
            throw new IllegalArgumentException(
                    section + ".maxAge=" + Durations.text(maxAge) + " must be at least " + Durations.text(AGE_LEAST));
        }
        return new QueueLimit(maxBytes, maxAge, whenFull);
    }
}
