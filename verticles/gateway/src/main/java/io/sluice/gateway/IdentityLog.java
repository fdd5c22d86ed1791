package io.sluice.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.TokenRefusal;
import io.sluice.gateway.core.TokenReviewCache;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.shell.TokenReviewResult;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Counts what reviews of tokens came to and whom they turned away, and says each kind of it once a minute at most. */
final class IdentityLog {
    private static final Logger LOG = LoggerFactory.getLogger(IdentityLog.class);
    private static final Duration SAID_EVERY = Duration.ofMinutes(1);
    private static final String ACCEPTED = "accepted";
    private static final String REJECTED = "rejected";
    private static final String FAILED = "failed";

    private final Shell shell;
    private final MeterRegistry meters;
    private final Map<String, Pace> paces = new HashMap<>();

    IdentityLog(Shell shell) {
        this.shell = shell;
        meters = shell.meters();
        List.of(ACCEPTED, REJECTED, FAILED).forEach(this::reviews);
        for (var reason : TokenRefusal.values()) {
            distrusted(reason);
        }
    }

    void watch(TokenReviewCache book, ConcurrencyLimiter underWay) {
        Gauge.builder("sluice.gateway.reviews.kept", book, TokenReviewCache::size)
                .description("Tokens of agents of which the last review is kept.")
                .register(meters);
        Gauge.builder("sluice.gateway.reviews.inflight", underWay, ConcurrencyLimiter::total)
                .description("Tokens of agents that are being reviewed.")
                .register(meters);
    }

    void reviewed(AsyncResult<TokenReviewResult> ended) {
        if (ended.failed()) {
            reviews(FAILED).increment();
            say(
                    FAILED,
                    LOG.atWarn()
                            .addKeyValue(LogKeys.KEY, TokenReviewConfig.SECTION)
                            .addKeyValue(
                                    LogKeys.ERROR, String.valueOf(ended.cause().getMessage())),
                    "The API server cannot be asked whose tokens are; agents whose tokens are not known get 503.");
            return;
        }
        reviews(ended.result() instanceof TokenReviewResult.Accepted ? ACCEPTED : REJECTED)
                .increment();
    }

    /** @param who its address, or its name where that is known */
    void turnedAway(TokenRefusal reason, String who, String detail) {
        distrusted(reason).increment();
        say(
                reason.word(),
                LOG.atWarn()
                        .addKeyValue(LogKeys.KEY, TokenReviewConfig.SECTION)
                        .addKeyValue(LogKeys.KIND, reason.word())
                        .addKeyValue(LogKeys.ENDPOINT, who)
                        .addKeyValue(LogKeys.REASON, detail),
                "Somebody who bears a token may not ask this, and was turned away.");
    }

    private void say(String kind, LoggingEventBuilder line, String sentence) {
        var pace = paces.computeIfAbsent(kind, first -> new Pace());
        pace.unsaid++;
        var now = shell.clock().instant();
        if (!now.isBefore(pace.silentUntil)) {
            line.addKeyValue(LogKeys.COUNT, pace.unsaid).log(sentence);
            pace.silentUntil = now.plus(SAID_EVERY);
            pace.unsaid = 0;
        }
    }

    private Counter reviews(String outcome) {
        return Counter.builder("sluice.gateway.reviews")
                .description("Reviews of agents' tokens by the API server, by what they came to.")
                .tag("outcome", outcome)
                .register(meters);
    }

    private Counter distrusted(TokenRefusal reason) {
        return Counter.builder("sluice.gateway.distrusted")
                .description("Requests of agents with a token that may not ask what they did, by reason.")
                .tag("reason", reason.word())
                .register(meters);
    }

    private static final class Pace {
        private Instant silentUntil = Instant.MIN;
        private long unsaid;
    }
}
