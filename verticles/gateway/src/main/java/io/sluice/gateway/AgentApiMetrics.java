package io.sluice.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.PodIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The metrics of the agent API, under Sluice's names and under those that dashboards for the reference use. */
final class AgentApiMetrics {
    private static final List<String> CODES =
            List.of("200", "400", "401", "403", "404", "409", "429", "500", "503", "gone");

    private static final int NODES_MAX = 10_000;

    private final MeterRegistry meters;
    private final Map<String, Ended> ended = new HashMap<>();

    /** The counters of one status, cached: a look-up by tags costs more than all other counting. */
    private record Ended(Counter requests, Counter reference, Map<String, Counter> nodes) {}

    AgentApiMetrics(MeterRegistry meters) {
        this.meters = meters;
        CODES.forEach(code -> ended.put(code, counters(code)));
    }

    void watch(PodIndex pods, ConcurrencyLimiter limiter) {
        Gauge.builder("sluice.gateway.agent.inflight", limiter, ConcurrencyLimiter::total)
                .description("Requests of agents under way.")
                .register(meters);
        Gauge.builder("sluice.gateway.pods", pods, PodIndex::size)
                .description("Pods in the index of the agent API.")
                .register(meters);
    }

    void ended(Exchange exchange, String code) {
        var counters = ended.computeIfAbsent(code, this::counters);
        counters.requests().increment();
        counters.reference().increment();
        exchange.node().ifPresent(node -> {
            if (counters.nodes().size() >= NODES_MAX) {
                counters.nodes().values().forEach(meters::remove);
                counters.nodes().clear();
            }
            counters.nodes()
                    .computeIfAbsent(node, unknown -> results(code, node))
                    .increment();
        });
    }

    void opened() {
        Counter.builder("sluice.gateway.sessions.opened")
                .description("Sessions opened for agents without sessions.")
                .register(meters)
                .increment();
    }

    private Ended counters(String code) {
        return new Ended(
                counter(
                        "sluice.gateway.agent.requests",
                        "Requests of agents by HTTP status, or gone if the client disconnected.",
                        code),
                counter(
                        "autoscaling_plugin_resource_requests_total",
                        "Resource requests from agents by HTTP status.",
                        code),
                new HashMap<>());
    }

    private Counter results(String code, String node) {
        return Counter.builder("autoscaling_plugin_resource_requests_results_total")
                .description("Resource requests that could be read, by HTTP status and node of their pod.")
                .tag("code", code)
                .tag("node", node)
                .register(meters);
    }

    private Counter counter(String name, String description, String code) {
        return Counter.builder(name).description(description).tag("code", code).register(meters);
    }
}
