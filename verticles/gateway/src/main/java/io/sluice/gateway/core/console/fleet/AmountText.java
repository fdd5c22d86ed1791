package io.sluice.gateway.core.console.fleet;

import io.sluice.shell.Quantities;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats amounts and times for sentences. */
public final class AmountText {
    /**
     * Appended to a sentence about a past time since which only numbers changed: the numbers in between are not kept.
     */
    public static final String AS_LAST_SET = "; the numbers are those last reported";

    private static final int REASON_CHARACTERS_MAX = 400;
    private static final int BRIEF_CHARACTERS_MAX = 120;
    private static final long MEBI = 1L << 20;
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;

    private AmountText() {}

    /** Reasons come from other components and thousands are kept: each is cut to a bound. */
    public static String cut(String reason) {
        return cut(reason, REASON_CHARACTERS_MAX);
    }

    /** Cuts a reason for places that have many at a time. */
    static String brief(String reason) {
        return cut(reason, BRIEF_CHARACTERS_MAX);
    }

    private static String cut(String reason, int max) {
        return reason.length() <= max ? reason : reason.substring(0, max - 1) + "…";
    }

    /** Formats both kinds: {@code 2500m/10Gi}. */
    public static String size(Resources amount) {
        return Quantities.cpuText(amount.milliCpu()) + "/" + memory(amount.memoryBytes());
    }

    /** Formats one kind of an amount, CPU always in thousandths, so that values can be compared. */
    public static String amount(ResourceKind kind, Resources amount) {
        return switch (kind) {
            case CPU -> amount.milliCpu() + "m";
            case MEMORY -> memory(amount.memoryBytes());
        };
    }

    /** A watermark is a fraction of a node and seldom a round number: single bytes are not shown. */
    private static String memory(long bytes) {
        return bytes % MEBI == 0
                ? Quantities.memoryText(bytes)
                : String.format(Locale.ROOT, "%.1fMi", (double) bytes / MEBI);
    }

    /** Formats an amount with its kind: {@code 250m CPU}. */
    public static String named(ResourceKind kind, Resources amount) {
        return amount(kind, amount) + " " + name(kind);
    }

    static String name(ResourceKind kind) {
        return switch (kind) {
            case CPU -> "CPU";
            case MEMORY -> "memory";
        };
    }

    /** Formats those kinds of an amount that are not zero: {@code 250m CPU and 1Gi memory}. */
    public static String parts(Resources amount) {
        List<String> parts = new ArrayList<>();
        for (var kind : ResourceKind.values()) {
            if (amount.of(kind) > 0) {
                parts.add(named(kind, amount));
            }
        }
        return parts.isEmpty() ? "nothing" : String.join(" and ", parts);
    }

    /** Formats a duration with its two largest units. */
    static String time(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        if (seconds < HOUR) {
            return seconds / MINUTE + " min" + rest(seconds % MINUTE, " s");
        }
        return seconds / HOUR + " h" + rest(seconds % HOUR / MINUTE, " min");
    }

    public static String time(Instant since, Instant now) {
        return time(Duration.between(since, now));
    }

    private static String rest(long value, String unit) {
        return value == 0 ? "" : " " + value + unit;
    }
}
