package io.sluice.agent;

import io.sluice.agent.core.runner.ReportThrottle;
import io.sluice.messages.agent.Decision;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one VM's decisions to the log: each change of its size, and repeated decisions once a minute. */
final class DecisionLog {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);
    private static final Duration REPEAT_EVERY = Duration.ofMinutes(1);

    private final ReportThrottle<Decision.Kind> pace = new ReportThrottle<>(REPEAT_EVERY);
    private final Logger log;

    DecisionLog() {
        this(LOG);
    }

    DecisionLog(Logger log) {
        this.log = log;
    }

    void write(Decision decision, Instant now) {
        if (repeatsItself(decision.kind()) && !pace.lets(decision.kind(), content(decision), now)) {
            return;
        }
        log.atInfo()
                .addKeyValue(LogKeys.VM, decision.vm().label())
                .addKeyValue(LogKeys.NODE, decision.node())
                .addKeyValue(LogKeys.KIND, decision.kind())
                .addKeyValue(LogKeys.FROM, Quantities.text(decision.from()))
                .addKeyValue(LogKeys.TO, Quantities.text(decision.to()))
                .addKeyValue(LogKeys.REASON, decision.reason())
                .log(sentence(decision.kind()));
    }

    private static boolean repeatsItself(Decision.Kind kind) {
        return switch (kind) {
            case DENIED, DOWNSCALE_DENIED, UPSCALE_REQUESTED, CONFIG_REFUSED -> true;
            case SCALED_UP, SCALED_DOWN, SUPERSEDED -> false;
        };
    }

    /**
     * What is compared to detect a repeated decision. For sizes these are the numbers alone, as the text contains the
     * remaining time.
     */
    private static Object content(Decision decision) {
        return decision.kind() == Decision.Kind.CONFIG_REFUSED
                ? decision.reason()
                : List.of(decision.from(), decision.to());
    }

    private static String sentence(Decision.Kind kind) {
        return switch (kind) {
            case SCALED_UP -> "A VM was scaled up.";
            case SCALED_DOWN -> "A VM was scaled down.";
            case DENIED -> "The ledger granted less than was requested.";
            case DOWNSCALE_DENIED -> "A monitor denied a downscale.";
            case UPSCALE_REQUESTED -> "A monitor requested more memory.";
            case SUPERSEDED -> "Another runner has taken over a VM.";
            case CONFIG_REFUSED -> "An annotation of a VM is invalid: its last valid value stays in force.";
        };
    }
}
