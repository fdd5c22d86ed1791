package io.sluice.gateway.listener;

import io.micrometer.core.instrument.Counter;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import io.sluice.shell.Shell;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts refused requests, and logs them at most once a minute. */
final class RefusalCounter {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalCounter.class);
    private static final List<String> WORDS =
            List.of("missing", "wrong", "host", "origin", "site", "path", "query", "full");
    private static final Duration LOG_EVERY = Duration.ofMinutes(1);

    private final Shell shell;
    private final ListenerSpec spec;
    private final LogThrottle throttle;

    RefusalCounter(Shell shell, ListenerSpec spec) {
        this.shell = shell;
        this.spec = spec;
        throttle = new LogThrottle(shell.clock(), LOG_EVERY);
        WORDS.forEach(this::refused);
    }

    /**
     * Counts and logs a refusal.
     *
     * @param word the reason's name in metrics
     * @return what to refuse the request with
     */
    HttpException refuse(HttpServerRequest request, int status, String word, String sentence) {
        refused(word).increment();
        throttle.happened(1, count -> log(request, word, count));
        return new HttpException(status, sentence);
    }

    private Counter refused(String word) {
        return Counter.builder("sluice.gateway.refused")
                .description("Requests that a listener refused before its handler, by reason.")
                .tag("listener", spec.label())
                .tag("reason", word)
                .register(shell.meters());
    }

    private void log(HttpServerRequest request, String word, long count) {
        LOG.atWarn()
                .addKeyValue(LogKeys.KEY, spec.section())
                .addKeyValue(LogKeys.ENDPOINT, String.valueOf(request.remoteAddress()))
                .addKeyValue(LogKeys.REASON, word)
                .addKeyValue(LogKeys.COUNT, count)
                .log("Requests were refused.");
    }
}
