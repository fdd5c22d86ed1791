package io.sluice.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.gateway.core.ConcurrencyLimiter;
import io.sluice.gateway.core.PodIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is counted at the agents' door: in our names, and in those that dashboards for the reference know. */
final class AgentApiMetrics {
    private static final List<String> CODES =
            List.of("200", "400", "401", "403", "404", "409", "429", "500", "503", "gone");

    private static final int NODES_MAX = 10_000;

    private final MeterRegistry meters;
    private final Map<String, Ended> ended = new HashMap<>();

    /** The counters of one status, at hand: looking them up by their tags costs more than all else that is counted. */
    private record Ended(Counter requests, Counter reference, Map<String, Counter> nodes) {}

    AgentApiMetrics(MeterRegistry meters) {
        this.meters = meters;
        CODES.forEach(code -> ended.put(code, counters(code)));
    }

    void watch(PodIndex pods, ConcurrencyLimiter crowd) {
        Gauge.builder("sluice.gateway.agent.inflight", crowd, ConcurrencyLimiter::total)
                .description("Requests of agents that are being worked on.")
                .register(meters);
        Gauge.builder("sluice.gateway.pods", pods, PodIndex::size)
                .description("Pods whose agents would be known.")
                .register(meters);
    }

    void ended(Exchange exchange, String code) {
        var counters = ended.computeIfAbsent(code, this::counters);
        counters.requests().increment();
        counters.reference().increment();
        exchange.node().ifPresent(node -> {
            if (counters.nodes().size() >= NODES_MAX) {
                counters.nodes().clear();
            }
            counters.nodes()
                    .computeIfAbsent(node, unknown -> results(code, node))
                    .increment();
        });
    }

    void opened() {
        Counter.builder("sluice.gateway.sessions.opened")
                .description("Sessions opened for agents that know none.")
                .register(meters)
                .increment();
    }

    private Ended counters(String code) {
        return new Ended(
                counter(
                        "sluice.gateway.agent.requests",
                        "Requests of agents by HTTP status, or gone if they hung up.",
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
