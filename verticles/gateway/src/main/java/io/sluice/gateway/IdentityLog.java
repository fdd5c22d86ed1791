package io.sluice.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.identity.TokenRefusal;
import io.sluice.gateway.core.identity.TokenReviewCache;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewResult;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Counts the results of token reviews and the refusals, and logs each kind of them at most once a minute. */
final class IdentityLog {
    private static final Logger LOG = LoggerFactory.getLogger(IdentityLog.class);
    private static final Duration LOG_EVERY = Duration.ofMinutes(1);
    private static final String ACCEPTED = "accepted";
    private static final String REJECTED = "rejected";
    private static final String FAILED = "failed";

    private final Shell shell;
    private final MeterRegistry meters;
    private final Map<String, LogThrottle> throttles = new HashMap<>();

    IdentityLog(Shell shell) {
        this.shell = shell;
        meters = shell.meters();
        List.of(ACCEPTED, REJECTED, FAILED).forEach(this::reviews);
        for (var reason : TokenRefusal.values()) {
            distrusted(reason);
        }
    }

    void watch(TokenReviewCache cache, ConcurrencyLimiter underWay) {
        Gauge.builder("sluice.gateway.reviews.kept", cache, TokenReviewCache::size)
                .description("Tokens of agents whose last review is cached.")
                .register(meters);
        Gauge.builder("sluice.gateway.reviews.inflight", underWay, ConcurrencyLimiter::total)
                .description("Token reviews of agents under way.")
                .register(meters);
    }

    void reviewed(AsyncResult<TokenReviewResult> ended) {
        if (ended.failed()) {
            reviews(FAILED).increment();
            log(
                    FAILED,
                    LOG.atWarn()
                            .addKeyValue(LogKeys.KEY, TokenReviewConfig.SECTION)
                            .addKeyValue(
                                    LogKeys.ERROR, String.valueOf(ended.cause().getMessage())),
                    "The API server cannot review tokens; agents without a cached review get 503.");
            return;
        }
        reviews(ended.result() instanceof TokenReviewResult.Accepted ? ACCEPTED : REJECTED)
                .increment();
    }

    /** @param pod its address, or its name if it is known */
    void turnedAway(TokenRefusal reason, String pod, String detail) {
        distrusted(reason).increment();
        log(
                reason.word(),
                LOG.atWarn()
                        .addKeyValue(LogKeys.KEY, TokenReviewConfig.SECTION)
                        .addKeyValue(LogKeys.KIND, reason.word())
                        .addKeyValue(LogKeys.ENDPOINT, pod)
                        .addKeyValue(LogKeys.REASON, detail),
                "A request with a token was refused.");
    }

    private void log(String kind, LoggingEventBuilder line, String sentence) {
        throttles
                .computeIfAbsent(kind, first -> new LogThrottle(shell.clock(), LOG_EVERY))
                .happened(1, count -> line.addKeyValue(LogKeys.COUNT, count).log(sentence));
    }

    private Counter reviews(String outcome) {
        return Counter.builder("sluice.gateway.reviews")
                .description("Reviews of agents' tokens by the API server, by result.")
                .tag("outcome", outcome)
                .register(meters);
    }

    private Counter distrusted(TokenRefusal reason) {
        return Counter.builder("sluice.gateway.distrusted")
                .description("Refused requests of agents with a token, by reason.")
                .tag("reason", reason.word())
                .register(meters);
    }
}
