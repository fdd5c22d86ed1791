package io.sluice.gateway;

import io.sluice.gateway.listener.Replies;
import io.sluice.shell.LogKeys;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replies with metrics as Prometheus text, to a few scrapes at a time. */
final class ScrapeHandler implements Handler<RoutingContext> {
    private static final Logger LOG = LoggerFactory.getLogger(ScrapeHandler.class);
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final int SCRAPES_MAX = 4;

    private final Vertx vertx;
    private final Supplier<String> scrape;
    private int scrapes;

    /**
     * Creates a handler for one event loop.
     *
     * @param scrape called off the event loop
     */
    ScrapeHandler(Vertx vertx, Supplier<String> scrape) {
        this.vertx = vertx;
        this.scrape = Objects.requireNonNull(scrape, "scrape");
    }

    @Override
    public void handle(RoutingContext context) {
        if (scrapes >= SCRAPES_MAX) {
            throw new HttpException(503, "too many scrapes at a time");
        }
        scrapes++;
        vertx.executeBlocking(scrape::get, false)
                .onComplete(done -> scrapes--)
                .onSuccess(text -> Replies.send(context, 200, PROMETHEUS, Buffer.buffer(text)))
                .onFailure(failure -> {
                    LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.toString()).log("The metrics could not be read.");
                    Replies.text(context, 500, "the metrics could not be read");
                });
    }
}
