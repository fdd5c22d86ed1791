package io.sluice.agent;

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
final class HttpScraper implements MetricsScraper {
    private static final Logger LOG = LoggerFactory.getLogger(HttpScraper.class);
    private static final int WAITING_MAX = 4;
    private static final int PERIODS_KEPT = 2;

    private final Vertx vertx;
    private final HttpClient client;
    private final int maxBytes;

    HttpScraper(Vertx vertx, AgentConfig config) {
        this(vertx, config, kept(config));
    }

    /** {@code kept}: how long an idle connection is kept, in whole seconds. */
    HttpScraper(Vertx vertx, AgentConfig config, Duration kept) {
        this.vertx = vertx;
        maxBytes = config.scrapeMaxSize();
        var options = new HttpClientOptions()
                .setKeepAlive(true)
                .setKeepAliveTimeout((int) kept.toSeconds())
                .setConnectTimeout((int) config.scrapeTimeout().toMillis());
        // The default checks thousands of pools every second, which costs more than it frees.
        var pool = new PoolOptions()
                .setHttp1MaxSize(config.scrapeConnections())
                .setMaxWaitQueueSize(WAITING_MAX)
                .setCleanerPeriod((int) kept.dividedBy(2).toMillis());
        client = vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(connection -> connection.exceptionHandler(HttpScraper::record))
                .build();
    }

    /** Longer than two periods, so that a scrape that is late by one still finds its connection. */
    private static Duration kept(AgentConfig config) {
        var period = config.scrapePeriod().compareTo(config.lfc().period()) > 0
                ? config.scrapePeriod()
                : config.lfc().period();
        return period.multipliedBy(PERIODS_KEPT).plusSeconds(1);
    }

    /** Redirects are not followed: only the VM's object determines where its metrics are. */
    @Override
    public Future<byte[]> scrape(Endpoint endpoint, Duration timeout) {
        var target = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .setURI(endpoint.path());
        var scrape = new ScrapeAttempt(vertx, timeout, maxBytes);
        client.request(target).onComplete(scrape::connected, scrape::unreachable);
        return scrape.text();
    }

    /** A scrape that fails by this reports it; on an idle connection nothing is lost. */
    private static void record(Throwable fault) {
        LOG.atDebug().addKeyValue(LogKeys.ERROR, fault).log("A connection to a VM's metrics failed.");
    }

    Future<Void> close() {
        return client.close();
    }
}
