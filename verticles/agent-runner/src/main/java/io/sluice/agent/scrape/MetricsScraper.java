package io.sluice.agent.scrape;

import io.sluice.messages.cluster.Endpoint;
import io.vertx.core.Future;
import java.time.Duration;

/** Reads the metrics that a VM exports. */
@FunctionalInterface
public interface MetricsScraper {
    /** The whole text. Fails with a {@link ScrapeFailedException} if it does not arrive, or not in time. */
    Future<byte[]> scrape(Endpoint endpoint, Duration timeout);
}
