package io.sluice.replay.read;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Recorded load in a Prometheus.
 *
 * @param url of its API, such as {@code http://127.0.0.1:9090}
 * @param exporter which metrics it has
 * @param last how much of the past is read
 * @param end where that ends
 * @param token a file with a bearer token
 */
public record PrometheusSource(
        URI url, PrometheusExporter exporter, Duration last, Instant end, Optional<Path> token) {}
