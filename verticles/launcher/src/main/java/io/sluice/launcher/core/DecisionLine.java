package io.sluice.launcher.core;

import io.sluice.shell.explain.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Formats a decision, or equal ones in a row, as one line. */
public final class DecisionLine {
    private static final double MILLIS_PER_SECOND = 1000;

    private DecisionLine() {}

    /**
     * The line.
     *
     * @param start the JVM's start, from which the line counts the time of the last decision
     */
    public static String of(Explanation entry, Instant start) {
        var vm = entry.vm().isEmpty() ? "-" : entry.vm().substring(entry.vm().indexOf('/') + 1);
        var repeats = entry.repeats().isEmpty() ? "" : entry.repeats() + ", last: ";
        return String.format(
                        Locale.ROOT,
                        "%6.1fs  %-12s %-17s %-25s  %s%s",
                        Duration.between(start, entry.at()).toMillis() / MILLIS_PER_SECOND,
                        vm,
                        entry.word(),
                        entry.change(),
                        repeats,
                        entry.cause())
                .replaceAll("\\p{Cntrl}", " ");
    }
}
