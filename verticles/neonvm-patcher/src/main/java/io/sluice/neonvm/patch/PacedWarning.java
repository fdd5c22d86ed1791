package io.sluice.neonvm.patch;

import io.sluice.shell.LogKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;

/** A log warning at a limited rate, for failures that repeat many times a second. */
final class PacedWarning {
    private static final Duration BETWEEN = Duration.ofSeconds(10);

    private final Logger log;
    private final InstantSource clock;
    private final String sentence;
    private Instant quietUntil = Instant.MIN;
    private long unsaid;

    PacedWarning(Logger log, InstantSource clock, String sentence) {
        this.log = log;
        this.clock = clock;
        this.sentence = sentence;
    }

    /** Logs the warning, or counts it for the next one. */
    void warn(String reason) {
        var now = clock.instant();
        unsaid++;
        if (!now.isBefore(quietUntil)) {
            log.atWarn()
                    .addKeyValue(LogKeys.REASON, reason)
                    .addKeyValue(LogKeys.COUNT, unsaid)
                    .log(sentence);
            quietUntil = now.plus(BETWEEN);
            unsaid = 0;
        }
    }
}
