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
 * Scrapes over HTTP on connections that are kept from one scrape to the next. Each endpoint has a pool of its own, and
 * nothing is shared that one VM could wait for another at. What is not scraped any more loses its connections after two
 * of the longest periods.
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

    /** {@code kept}: how long a connection is, that nothing is asked on; whole seconds. */
    HttpScraper(Vertx vertx, AgentConfig config, Duration kept) {
        this.vertx = vertx;
        maxBytes = config.scrapeMaxBytes();
        var options = new HttpClientOptions()
                .setKeepAlive(true)
                .setKeepAliveTimeout((int) kept.toSeconds())
                .setConnectTimeout((int) config.scrapeTimeout().toMillis());
        // Looking through thousands of pools each second, as is the default, costs more than it frees.
        var pool = new PoolOptions()
                .setHttp1MaxSize(config.scrapeConnections())
                .setMaxWaitQueueSize(WAITING_MAX)
                .setCleanerPeriod((int) kept.dividedBy(2).toMillis());
        client = vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(connection -> connection.exceptionHandler(HttpScraper::note))
                .build();
    }

    /** Beyond two periods, so that a scrape that is late by one finds its connection still. */
    private static Duration kept(AgentConfig config) {
        var period = config.scrapePeriod().compareTo(config.lfc().period()) > 0
                ? config.scrapePeriod()
                : config.lfc().period();
        return period.multipliedBy(PERIODS_KEPT).plusSeconds(1);
    }

    /** Redirects are not followed: where a VM's metrics are, nobody but its object says. */
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

    /** The scrape that suffers from it says so; of a connection at rest, nothing is lost. */
    private static void note(Throwable fault) {
        LOG.atDebug().addKeyValue(LogKeys.ERROR, fault).log("A connection to a VM's metrics broke.");
    }

    Future<Void> close() {
        return client.close();
    }
}
