package io.sluice.agent;

import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.messages.cluster.Endpoint;
import io.vertx.core.Future;

/** Reads the metrics of one VM. */
@FunctionalInterface
interface MetricsScraper {
    /** Fails when no whole text came in time; a text that is no good is a reading too. */
    Future<MetricsReading> scrape(Endpoint endpoint);
}
