package io.sluice.shell.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations as in config: {@code 250ms}, {@code 5s}, {@code 1h30m}. */
public final class Durations {
    /** Nine digits of hours are 114,000 years, so no sum overflows. */
    private static final Pattern SHAPE =
            Pattern.compile("(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

    private Durations() {}

    /** The duration, or empty when the text is none: whole numbers, each with a unit, the largest unit first. */
    public static Optional<Duration> parse(String text) {
        var matcher = SHAPE.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofHours(number(matcher, 1))
                .plusMinutes(number(matcher, 2))
                .plusSeconds(number(matcher, 3))
                .plusMillis(number(matcher, 4)));
    }

    /** The duration in the form that {@link #parse} reads; fractions of a millisecond are cut off. */
    public static String text(Duration duration) {
        if (duration.toMillis() == 0) {
            return "0s";
        }
        return part(duration.toHours(), "h")
                + part(duration.toMinutesPart(), "m")
                + part(duration.toSecondsPart(), "s")
                + part(duration.toMillisPart(), "ms");
    }

    /**
     * Refuses a duration that is not above zero.
     *
     * @param key the config key that the message names
     */
    public static void requirePositive(String key, Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(key + "=" + text(duration) + " must be positive");
        }
    }

    private static long number(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
    }

    private static String part(long amount, String unit) {
        return amount == 0 ? "" : amount + unit;
    }
}
