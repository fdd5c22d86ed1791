package io.sluice.gateway;

import io.sluice.gateway.listener.Replies;
import io.sluice.shell.LogKeys;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies with metrics, to a few scrapes at a time: as OpenMetrics, which has exemplars, if the scraper prefers that to
 * Prometheus' own text.
 */
final class ScrapeHandler implements Handler<RoutingContext> {
    private static final Logger LOG = LoggerFactory.getLogger(ScrapeHandler.class);
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final int SCRAPES_MAX = 4;

    private final Vertx vertx;
    private final UnaryOperator<String> scrape;
    private int scrapes;

    /**
     * Creates a handler for one event loop.
     *
     * @param scrape returns the metrics in a format, given its media type; called off the event loop
     */
    ScrapeHandler(Vertx vertx, UnaryOperator<String> scrape) {
        this.vertx = vertx;
        this.scrape = Objects.requireNonNull(scrape, "scrape");
    }

    @Override
    public void handle(RoutingContext context) {
        if (scrapes >= SCRAPES_MAX) {
            throw new HttpException(503, "too many scrapes at a time");
        }
        scrapes++;
        var format = format(context);
        vertx.executeBlocking(() -> scrape.apply(format), false)
                .onComplete(done -> scrapes--)
                .onSuccess(text -> Replies.send(context, 200, format, Buffer.buffer(text)))
                .onFailure(failure -> {
                    LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.toString()).log("The metrics could not be read.");
                    Replies.text(context, 500, "the metrics could not be read");
                });
    }

    /** The scraper's own order counts; what accepts anything gets Prometheus' text. */
    private static String format(RoutingContext context) {
        return context.parsedHeaders().accept().stream()
                .map(type -> type.component() + "/" + type.subComponent())
                .filter(type -> OPEN_METRICS.startsWith(type) || PROMETHEUS.startsWith(type))
                .findFirst()
                .filter(OPEN_METRICS::startsWith)
                .map(type -> OPEN_METRICS)
                .orElse(PROMETHEUS);
    }
}
