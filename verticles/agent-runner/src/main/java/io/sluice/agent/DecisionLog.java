package io.sluice.agent;

import io.sluice.messages.agent.Decision;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Quantities;
import io.sluice.shell.explain.Explanation;
import io.sluice.shell.explain.ExplanationLines;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes decisions to the log: the first of equal ones in a row at once, and the rest joined, once a minute. */
final class DecisionLog {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);
    private static final Duration REPEAT_EVERY = Duration.ofMinutes(1);

    private final ExplanationLines lines = new ExplanationLines(REPEAT_EVERY);
    private final Logger log;

    DecisionLog() {
        this(LOG);
    }

    DecisionLog(Logger log) {
        this.log = log;
    }

    void write(Decision decision, Instant now) {
        lines.take(Explanation.of(decision, now)).forEach(this::line);
    }

    /** To be called every few seconds. */
    void tick(Instant now) {
        lines.due(now).forEach(this::line);
    }

    /** Writes what waits, as no further tick follows. */
    void close() {
        lines.rest().forEach(this::line);
    }

    private void line(Explanation entry) {
        var line = log.atInfo()
                .addKeyValue(LogKeys.VM, entry.vm())
                .addKeyValue(LogKeys.NODE, entry.node())
                .addKeyValue(LogKeys.KIND, entry.kind());
        entry.from().ifPresent(from -> line.addKeyValue(LogKeys.FROM, Quantities.text(from)));
        entry.to().ifPresent(to -> line.addKeyValue(LogKeys.TO, Quantities.text(to)));
        if (entry.count() > 1) {
            line.addKeyValue(LogKeys.COUNT, entry.count()).addKeyValue(LogKeys.SINCE, entry.since());
        }
        line.addKeyValue(LogKeys.REASON, entry.cause()).log(sentence(Decision.Kind.valueOf(entry.kind())));
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
