package io.sluice.pressure.core.choice;

import io.sluice.shell.Quantities;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats numbers for reasons. */
public final class ChoiceText {
    private static final long MEBI = 1L << 20;

    private ChoiceText() {}

    /** Both kinds: {@code 1500m/6Gi}. */
    public static String amount(Resources amount) {
        return Quantities.cpuText(amount.milliCpu()) + "/" + memory(amount.memoryBytes());
    }

    /** The kinds whose amount is not zero, by name: {@code cpu 250m, memory 1Gi}. */
    public static String kinds(Resources amount) {
        List<String> parts = new ArrayList<>();
        if (amount.milliCpu() > 0) {
            parts.add("cpu " + Quantities.cpuText(amount.milliCpu()));
        }
        if (amount.memoryBytes() > 0) {
            parts.add("memory " + memory(amount.memoryBytes()));
        }
        return parts.isEmpty() ? "nothing" : String.join(", ", parts);
    }

    /** Whole seconds, rounded up, so that a remaining time is never shown as zero. */
    public static String seconds(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds() + " s";
    }

    /** A duration in the form of the configuration. */
    public static String duration(Duration duration) {
        return Durations.text(duration);
    }

    /** A load average in the form in which agents report it. */
    public static String load(double load) {
        return String.format(Locale.ROOT, "%.2f", load);
    }

    /** Memory is rounded, because a watermark is a fraction of a node and seldom a round number of bytes. */
    private static String memory(long bytes) {
        return bytes == 0 || bytes % MEBI == 0
                ? Quantities.memoryText(bytes)
                : String.format(Locale.ROOT, "%.1fMi", (double) bytes / MEBI);
    }
}
