package io.sluice.launcher.core;

import io.sluice.messages.agent.Decision;
import io.sluice.shell.Quantities;
import java.time.Duration;
import java.util.Locale;

/** One line about a decision, for a person's eye. */
public final class DecisionLine {
    private static final double MILLIS_PER_SECOND = 1000;

    private DecisionLine() {}

    /**
     * The line.
     *
     * @param sinceStart since the JVM's start
     */
    public static String of(Decision decision, Duration sinceStart) {
        var reaction = decision.reaction()
                .map(took -> "  reaction " + took.toMillis() + " ms")
                .orElse("");
        return String.format(
                        Locale.ROOT,
                        "%6.1fs  %-12s %-11s %-25s  %s%s",
                        sinceStart.toMillis() / MILLIS_PER_SECOND,
                        decision.vm().name(),
                        verb(decision.kind()),
                        Quantities.text(decision.from()) + " -> " + Quantities.text(decision.to()),
                        decision.reason(),
                        reaction)
                .replaceAll("\\p{Cntrl}", " ");
    }

    private static String verb(Decision.Kind kind) {
        return switch (kind) {
            case SCALED_UP -> "scaled up";
            case SCALED_DOWN -> "scaled down";
            case DENIED -> "denied";
            case VETOED -> "vetoed";
            case CRIED -> "cried";
            case SUPERSEDED -> "superseded";
        };
    }
}
