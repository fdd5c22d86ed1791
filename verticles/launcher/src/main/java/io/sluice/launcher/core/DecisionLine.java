package io.sluice.launcher.core;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.shell.Quantities;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Locale;

/** Formats a decision as one line. */
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
        return line(
                sinceStart,
                decision.vm().name(),
                verb(decision.kind()),
                Quantities.text(decision.from()) + " -> " + Quantities.text(decision.to()),
                decision.reason() + reaction);
    }

    /**
     * The line.
     *
     * @param sinceStart since the JVM's start
     */
    public static String of(PressureDecision decision, Duration sinceStart) {
        return line(
                sinceStart,
                decision.vm().map(VmId::name).orElse("-"),
                verb(decision.kind()),
                decision.node() + (decision.to().isEmpty() ? "" : " -> " + decision.to()),
                decision.reason());
    }

    private static String line(Duration sinceStart, String pod, String verb, String between, String reason) {
        return String.format(
                        Locale.ROOT,
                        "%6.1fs  %-12s %-17s %-25s  %s",
                        sinceStart.toMillis() / MILLIS_PER_SECOND,
                        pod,
                        verb,
                        between,
                        reason)
                .replaceAll("\\p{Cntrl}", " ");
    }

    private static String verb(PressureDecision.Kind kind) {
        return switch (kind) {
            case MOVING -> "moving";
            case MOVED -> "moved";
            case ADOPTED -> "adopted";
            case NOT_MOVED -> "not moved";
            case NONE_MOVES -> "none moves";
        };
    }

    private static String verb(Decision.Kind kind) {
        return switch (kind) {
            case SCALED_UP -> "scaled up";
            case SCALED_DOWN -> "scaled down";
            case DENIED -> "denied";
            case DOWNSCALE_DENIED -> "downscale denied";
            case UPSCALE_REQUESTED -> "upscale requested";
            case SUPERSEDED -> "superseded";
            case CONFIG_REFUSED -> "config refused";
        };
    }
}
