package io.sluice.gateway.listener;

import io.micrometer.core.instrument.Counter;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts whom a door turned away, and says so once a minute at most. */
final class RefusalCounter {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalCounter.class);
    private static final List<String> WORDS =
            List.of("missing", "wrong", "host", "origin", "site", "path", "query", "full");
    private static final Duration SAID_EVERY = Duration.ofMinutes(1);

    private final Shell shell;
    private final ListenerSpec doorway;
    private Instant silentUntil = Instant.MIN;
    private long unsaid;

    RefusalCounter(Shell shell, ListenerSpec doorway) {
        this.shell = shell;
        this.doorway = doorway;
        WORDS.forEach(this::refused);
    }

    /**
     * Turns a caller away.
     *
     * @param word by which metrics know the reason
     */
    void refuse(HttpServerRequest request, int status, String word, String sentence) {
        refused(word).increment();
        say(request, word);
        ShortReplies.error(request, status, sentence);
    }

    private Counter refused(String word) {
        return Counter.builder("sluice.gateway.refused")
                .description("Requests that a door turned away before anybody looked at them, by reason.")
                .tag("door", doorway.label())
                .tag("reason", word)
                .register(shell.meters());
    }

    private void say(HttpServerRequest request, String word) {
        unsaid++;
        var now = shell.clock().instant();
        if (now.isBefore(silentUntil)) {
            return;
        }
        LOG.atWarn()
                .addKeyValue(LogKeys.KEY, doorway.section())
                .addKeyValue(LogKeys.ENDPOINT, String.valueOf(request.remoteAddress()))
                .addKeyValue(LogKeys.REASON, word)
                .addKeyValue(LogKeys.COUNT, unsaid)
                .log("Callers were turned away.");
        silentUntil = now.plus(SAID_EVERY);
        unsaid = 0;
    }
}
