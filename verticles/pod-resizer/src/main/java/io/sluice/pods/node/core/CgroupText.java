package io.sluice.pods.node.core;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Reads texts of control groups; what is missing is 0, and what is no number is skipped. */
public final class CgroupText {
    private static final String NO_LIMIT = "max";
    private static final String SOME_TOTAL = "total=";
    private static final long MILLIS = 1_000;

    private CgroupText() {}

    /** The numbers of a text with a key and a number on each line. */
    public static Map<String, Long> flat(String text) {
        var found = new HashMap<String, Long>();
        text.lines()
                .map(line -> line.split(" "))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> number(parts[1]).ifPresent(number -> found.put(parts[0], number)));
        return found;
    }

    /** How long some tasks have waited, in microseconds, by a text such as that of {@code cpu.pressure}. */
    public static long stalledMicros(String text) {
        return text.lines()
                .filter(line -> line.startsWith("some "))
                .map(line -> line.substring(line.indexOf(SOME_TOTAL) + SOME_TOTAL.length()))
                .mapToLong(total -> number(total).orElse(0))
                .findFirst()
                .orElse(0);
    }

    /** The limit in milli-CPU by {@code cpu.max}; empty if there is none. */
    public static OptionalLong milliCpu(String text) {
        var parts = text.strip().split(" ");
        var quota = number(parts[0]);
        var period = parts.length == 2 ? number(parts[1]) : OptionalLong.empty();
        return quota.isEmpty() || period.orElse(0) <= 0
                ? OptionalLong.empty()
                : OptionalLong.of(quota.getAsLong() * MILLIS / period.getAsLong());
    }

    /** The limit in bytes by {@code memory.max}; empty if there is none. */
    public static OptionalLong bytes(String text) {
        return number(text.strip());
    }

    private static OptionalLong number(String text) {
        try {
            return text.equals(NO_LIMIT) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException notANumber) {
            return OptionalLong.empty();
        }
    }
}
