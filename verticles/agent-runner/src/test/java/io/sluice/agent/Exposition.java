package io.sluice.agent;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.OptionalDouble;

/** The text that Prometheus would scrape: names and labels as they are really written. */
public final class Exposition {
    public final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    String text() {
        return registry.scrape();
    }

    /** The value of one series, written as {@code name{label="value"}}; empty if there is none. */
    OptionalDouble value(String series) {
        return text().lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst();
    }

    /** The value of a series that must be there. */
    public double of(String series) {
        return value(series).orElseThrow(() -> new AssertionError("no " + series + " in\n" + text()));
    }
}
