package io.sluice.agent;

import io.sluice.messages.cluster.Endpoint;
import io.vertx.core.Future;
import java.time.Duration;

/** Reads the metrics that one VM tells of itself. */
@FunctionalInterface
interface MetricsScraper {
    /** The whole text. Fails when it did not come in time. */
    Future<String> scrape(Endpoint endpoint, Duration timeout);
}
