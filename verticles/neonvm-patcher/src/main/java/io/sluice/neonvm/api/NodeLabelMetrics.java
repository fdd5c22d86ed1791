package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Labels of nodes as a series for each node, with which series that have a node can be joined. */
final class NodeLabelMetrics {
    private static final int NODES_MAX = 5_000;

    private final MeterRegistry meters;
    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, Shown> nodes = new HashMap<>();

    private record Shown(Tags tags, Meter meter) {}

    /** @param labels each as {@code metric label=Kubernetes label}; none: no series */
    NodeLabelMetrics(List<String> labels, MeterRegistry meters) {
        this.meters = meters;
        labels.forEach(pair -> {
            var parts = pair.split("=", 2);
            this.labels.put(parts[0], parts[1]);
        });
    }

    /** The labels of a node may have changed. A label that the node does not have is empty. */
    void observed(JsonNode node) {
        if (labels.isEmpty()) {
            return;
        }
        var name = ObjectReader.name(node);
        var has = node.path("metadata").path("labels");
        var tags = labels.entrySet().stream()
                .reduce(
                        Tags.of("node", name),
                        (some, label) -> some.and(
                                label.getKey(), has.path(label.getValue()).asText()),
                        Tags::and);
        var shown = nodes.get(name);
        if (shown != null && shown.tags().equals(tags)) {
            return;
        }
        gone(name);
        if (nodes.size() < NODES_MAX) {
            nodes.put(name, new Shown(tags, register(tags)));
        }
    }

    private Meter register(Tags tags) {
        return Gauge.builder("sluice.cluster.node.labels", () -> 1)
                .description("1, with the labels of the node that cluster.nodeMetricLabels names")
                .tags(tags)
                .register(meters);
    }

    void gone(String node) {
        var shown = nodes.remove(node);
        if (shown != null) {
            meters.remove(shown.meter());
        }
    }

    /** No other nodes exist. */
    void keepOnly(Collection<String> alive) {
        Set.copyOf(nodes.keySet()).stream()
                .filter(node -> !alive.contains(node))
                .forEach(this::gone);
    }
}
