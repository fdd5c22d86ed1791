package io.sluice.pressure.core.choice;

import java.time.Duration;
import java.util.Objects;

/**
 * A VM stays where it is for a while.
 *
 * @param left how much longer
 * @param after what it was that it rests after, in words
 */
public record Cooldown(Duration left, String after) {
    public Cooldown {
        Objects.requireNonNull(left, "left");
        Objects.requireNonNull(after, "after");
    }
}
