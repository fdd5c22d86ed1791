package io.sluice.agent;

import io.sluice.messages.cluster.Endpoint;
import io.vertx.core.Future;
import java.time.Duration;

/** Reads the metrics that one VM tells of itself. */
@FunctionalInterface
interface MetricsScraper {
    /** The whole text. Fails with a {@link ScrapeFailedException} when it did not come, or not in time. */
    Future<byte[]> scrape(Endpoint endpoint, Duration timeout);
}
