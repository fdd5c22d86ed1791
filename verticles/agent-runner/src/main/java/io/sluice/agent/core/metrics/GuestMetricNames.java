package io.sluice.agent.core.metrics;

import java.util.Set;

/** The names under which a VM exports its load and memory: those of the exporter that runs in it. */
public enum GuestMetricNames {
    /** The names of Vector's host metrics, which run in Neon's VMs. */
    VECTOR(
            "host_load1",
            "host_load5",
            "host_memory_total_bytes",
            "host_memory_available_bytes",
            "host_memory_cached_bytes"),
    /** The names of Prometheus' node_exporter. */
    NODE_EXPORTER(
            "node_load1",
            "node_load5",
            "node_memory_MemTotal_bytes",
            "node_memory_MemAvailable_bytes",
            "node_memory_Cached_bytes");

    private final String load1;
    private final String load5;
    private final String total;
    private final String available;
    private final String cached;
    private final Set<String> all;

    GuestMetricNames(String load1, String load5, String total, String available, String cached) {
        this.load1 = load1;
        this.load5 = load5;
        this.total = total;
        this.available = available;
        this.cached = cached;
        this.all = Set.of(load1, load5, total, available, cached);
    }

    String load1() {
        return load1;
    }

    String load5() {
        return load5;
    }

    String total() {
        return total;
    }

    String available() {
        return available;
    }

    String cached() {
        return cached;
    }

    Set<String> all() {
        return all;
    }
}
