package io.sluice.pressure.core.choice;

import java.time.Duration;
import java.util.Objects;

/**
 * A VM stays where it is for some time.
 *
 * @param left the remaining time
 * @param after the cause, as text
 */
public record Cooldown(Duration left, String after) {
    public Cooldown {
        Objects.requireNonNull(left, "left");
        Objects.requireNonNull(after, "after");
    }
}
