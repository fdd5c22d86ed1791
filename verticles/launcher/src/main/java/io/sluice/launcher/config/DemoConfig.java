package io.sluice.launcher.config;

import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * Section {@code demo}: how the demo ends.
 *
 * @param duration the time since the JVM's start after which the demo ends with a summary; {@code 0s} for a demo
 *     without end
 */
public record DemoConfig(Duration duration) {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Until it is stopped. */
    public static final DemoConfig DEFAULTS = new DemoConfig(Duration.ZERO);

    public DemoConfig {
        Objects.requireNonNull(duration, "demo.duration");
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "demo.duration=" + Durations.text(duration) + " must be between 0s and " + Durations.text(LONGEST));
        }
    }
}
