package io.sluice.shell.config;

import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads and writes sizes as config has them: {@code 64KiB}, {@code 1MiB}, {@code 256MiB}. */
public final class ByteSizes {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final int BITS_PER_UNIT = 10;
    /** Twelve digits of the smallest unit and six of the largest fit in a long. */
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,12})B|(\\d{1,6})([KMGT]iB)");

    private ByteSizes() {}

    /** The number of bytes, or empty where the text is no whole number with a unit. */
    public static OptionalLong parse(String text) {
        var matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        return matcher.group(1) == null
                ? OptionalLong.of(Long.parseLong(matcher.group(2)) << shift(matcher.group(3)))
                : OptionalLong.of(Long.parseLong(matcher.group(1)));
    }

    /** The size as {@link #parse} reads it, in the largest unit that it is a whole number of. */
    public static String text(long bytes) {
        int unit = UNITS.size() - 1;
        while (unit > 0 && (bytes == 0 || bytes % (1L << unit * BITS_PER_UNIT) != 0)) {
            unit--;
        }
        return (bytes >> unit * BITS_PER_UNIT) + UNITS.get(unit);
    }

    /**
     * Refuses a size outside its bounds.
     *
     * @param key the config key that the message names
     */
    public static void requireBetween(String key, long bytes, long least, long most) {
        if (bytes < least || bytes > most) {
            throw new IllegalArgumentException(
                    key + "=" + text(bytes) + " must be between " + text(least) + " and " + text(most));
        }
    }

    private static int shift(String unit) {
        return UNITS.indexOf(unit) * BITS_PER_UNIT;
    }
}
