package io.sluice.billing.outbox;

import io.sluice.shell.config.ByteSize;
import io.sluice.shell.config.ByteSizes;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * How much may wait for one sink. {@link #checked} validates it, because messages need the section's name.
 *
 * @param maxSize the most that may wait for one sink
 * @param maxAge the greatest age of what waits
 * @param whenFull what happens beyond these limits. {@code block}: windows are closed late, when there is room;
 *     {@code drop_oldest}: the oldest batch is lost, counted and logged
 */
public record OutboxConfig(@ByteSize long maxSize, Duration maxAge, Overflow whenFull) {
    private static final long BYTES_LEAST = 1L << 16;
    private static final long BYTES_MOST = 1L << 40;
    private static final Duration AGE_LEAST = Duration.ofMinutes(1);

    public OutboxConfig {
        Objects.requireNonNull(maxAge, "maxAge");
        Objects.requireNonNull(whenFull, "whenFull");
    }

    /**
     * Returns this config if it is valid.
     *
     * @param section section of the config, such as {@code billing.outbox}
     * @throws IllegalArgumentException with a message that names the key to change
     */
    public OutboxConfig checked(String section) {
        ByteSizes.requireBetween(section + ".maxSize", maxSize, BYTES_LEAST, BYTES_MOST);
        if (maxAge.compareTo(AGE_LEAST) < 0) {
            throw new IllegalArgumentException(
                    section + ".maxAge=" + Durations.text(maxAge) + " must be at least " + Durations.text(AGE_LEAST));
        }
        return this;
    }

    /** What happens to a write for which there is no room. */
    public enum Overflow {
        /** The write is refused, and repeated later. */
        BLOCK,
        /** The oldest batches are dropped to make room. */
        DROP_OLDEST
    }
}
