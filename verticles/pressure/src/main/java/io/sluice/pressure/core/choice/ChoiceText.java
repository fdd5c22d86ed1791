package io.sluice.pressure.core.choice;

import io.sluice.shell.Quantities;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts numbers into the words of reasons. */
public final class ChoiceText {
    private static final long MEBI = 1L << 20;

    private ChoiceText() {}

    /** Both kinds: {@code 1500m/6Gi}. */
    public static String amount(Resources amount) {
        return Quantities.cpuText(amount.milliCpu()) + "/" + memory(amount.memoryBytes());
    }

    /** The kinds in which there is something, by name: {@code cpu 250m, memory 1Gi}. */
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

    /** Whole seconds, rounded up: what is left is never told as nothing. */
    public static String seconds(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds() + " s";
    }

    /** As config has it. */
    public static String duration(Duration duration) {
        return Durations.text(duration);
    }

    /** A load as the agents tell it. */
    public static String load(double load) {
        return String.format(Locale.ROOT, "%.2f", load);
    }

    /** A watermark is a fraction of a node and seldom a round number: nobody reads single bytes. */
    private static String memory(long bytes) {
        return bytes == 0 || bytes % MEBI == 0
                ? Quantities.memoryText(bytes)
                : String.format(Locale.ROOT, "%.1fMi", (double) bytes / MEBI);
    }
}
