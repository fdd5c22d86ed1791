package io.sluice.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.gateway.core.PodBook;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What is counted at the agents' door: in our names, and in those that dashboards for the reference know. */
final class AgentMeters {
    private static final List<String> CODES = List.of("200", "400", "404", "409", "429", "500", "503", "gone");

    private final MeterRegistry meters;

    AgentMeters(MeterRegistry meters) {
        this.meters = meters;
        CODES.forEach(this::requests);
    }

    void watch(PodBook pods, AgentDoor door, ToDoubleFunction<AgentDoor> inFlight) {
        Gauge.builder("sluice.gateway.agent.inflight", door, inFlight)
                .description("Requests of agents that are being worked on.")
                .register(meters);
        Gauge.builder("sluice.gateway.pods", pods, PodBook::size)
                .description("Pods whose agents would be known.")
                .register(meters);
    }

    void ended(Exchange exchange, String code) {
        requests(code).increment();
        counter("autoscaling_plugin_resource_requests_total", "Resource requests from agents by HTTP status.", code)
                .increment();
        exchange.node()
                .ifPresent(node -> Counter.builder("autoscaling_plugin_resource_requests_results_total")
                        .description("Resource requests that could be read, by HTTP status and node of their pod.")
                        .tag("code", code)
                        .tag("node", node)
                        .register(meters)
                        .increment());
    }

    void opened() {
        Counter.builder("sluice.gateway.sessions.opened")
                .description("Sessions opened for agents that know none.")
                .register(meters)
                .increment();
    }

    private Counter requests(String code) {
        return counter(
                "sluice.gateway.agent.requests", "Requests of agents by HTTP status, or gone if they hung up.", code);
    }

    private Counter counter(String name, String description, String code) {
        return Counter.builder(name).description(description).tag("code", code).register(meters);
    }
}
