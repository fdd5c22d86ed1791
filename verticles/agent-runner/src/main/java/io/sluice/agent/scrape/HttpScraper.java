package io.sluice.agent.scrape;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrapes over HTTP on kept connections. Each endpoint has a pool of its own, so that no VM waits for another. The
 * connections of an endpoint that is not scraped any more are closed after two of the longest periods.
 */
public final class HttpScraper implements MetricsScraper {
    private static final Logger LOG = LoggerFactory.getLogger(HttpScraper.class);
    private static final int WAITING_MAX = 4;
    private static final int PERIODS_KEPT = 2;
    private static final int EXPECTED_BYTES_MAX = 64 * 1024;

    private final Vertx vertx;
    private final HttpClient client;
    private final int maxBytes;
    private int lastBytes;

    /**
     * The bounds of all scrapes.
     *
     * @param maxBytes the most bytes of one reply
     * @param timeout how long a connection may take
     * @param connections the most to one endpoint
     * @param kept how long an idle connection is kept, in whole seconds
     */
    public record Limits(int maxBytes, Duration timeout, int connections, Duration kept) {
        /** Keeps connections for two periods, so that a scrape that is late by one still finds its connection. */
        public static Limits ofPeriod(int maxBytes, Duration timeout, int connections, Duration period) {
            return new Limits(
                    maxBytes,
                    timeout,
                    connections,
                    period.multipliedBy(PERIODS_KEPT).plusSeconds(1));
        }
    }

    public HttpScraper(Vertx vertx, Limits limits) {
        this.vertx = vertx;
        maxBytes = limits.maxBytes();
        var kept = limits.kept();
        var options = new HttpClientOptions()
                .setMetricsName("vm-metrics")
                .setKeepAlive(true)
                .setKeepAliveTimeout((int) kept.toSeconds())
                .setConnectTimeout((int) limits.timeout().toMillis());
        // The default checks thousands of pools every second, which costs more than it frees.
        var pool = new PoolOptions()
                .setHttp1MaxSize(limits.connections())
                .setMaxWaitQueueSize(WAITING_MAX)
                .setCleanerPeriod((int) kept.dividedBy(2).toMillis());
        client = vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(connection -> connection.exceptionHandler(HttpScraper::record))
                .build();
    }

    /** Redirects are not followed: only the VM's object determines where its metrics are. */
    @Override
    public Future<byte[]> scrape(Endpoint endpoint, Duration timeout) {
        var target = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .setURI(endpoint.path());
        var scrape = new ScrapeAttempt(vertx, timeout, maxBytes, lastBytes);
        client.request(target).onComplete(scrape::connected, scrape::unreachable);
        // Guests of one kind have texts of about one length.
        return scrape.text().onSuccess(text -> lastBytes = Math.min(text.length, EXPECTED_BYTES_MAX));
    }

    /** A scrape that fails by this reports it; on an idle connection nothing is lost. */
    private static void record(Throwable fault) {
        LOG.atDebug().addKeyValue(LogKeys.ERROR, fault).log("A connection to a VM's metrics failed.");
    }

    public Future<Void> close() {
        return client.close();
    }
}
