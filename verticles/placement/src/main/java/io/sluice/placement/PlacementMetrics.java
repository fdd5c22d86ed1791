package io.sluice.placement;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.placement.core.PlacementAttempt.Outcome;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** The metrics of this role. Series whose tags are known in advance start at zero. */
final class PlacementMetrics {
    private final MeterRegistry registry;
    private final Timer waited;
    private final Counter dropped;
    private final Counter woken;

    PlacementMetrics(MeterRegistry registry, IntSupplier pending) {
        this.registry = registry;
        Gauge.builder("sluice.placement.pods.pending", pending::getAsInt)
                .description("Pods that wait for a node")
                .register(registry);
        waited = Timer.builder("sluice.placement.wait")
                .description("Time from the first observation of a pending pod to its observation as bound")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(5))
                .maximumExpectedValue(Duration.ofMinutes(10))
                .register(registry);
        dropped = Counter.builder("sluice.placement.observations.dropped")
                .description("Observations of pending pods beyond the limit")
                .register(registry);
        woken = Counter.builder("sluice.placement.pods.woken")
                .description("Waiting pods that their scheduler was made to try again, as the ledger has room")
                .register(registry);
        List.of(Outcome.values()).forEach(this::placements);
        leftOver(true, 0);
        leftOver(false, 0);
        EnumSet.complementOf(EnumSet.of(NodeRanks.Obstacle.NONE)).forEach(obstacle -> excluded(obstacle, 0));
    }

    void placed(Duration wait) {
        waited.record(wait);
    }

    void woken() {
        woken.increment();
    }

    void dropped() {
        dropped.increment();
    }

    void ended(Outcome outcome) {
        placements(outcome).increment();
    }

    void leftOver(boolean released) {
        leftOver(released, 1);
    }

    /** Nodes that fit are not counted: a scheduler has them ranked twice, to filter and to score. */
    void ranked(List<NodeRanks.NodeRank> nodes) {
        nodes.stream()
                .filter(node -> !node.fits())
                .collect(Collectors.groupingBy(NodeRanks.NodeRank::obstacle, Collectors.counting()))
                .forEach(this::excluded);
    }

    private void excluded(NodeRanks.Obstacle obstacle, long count) {
        counter("nodes.excluded", "Nodes that could not take a pod, by what excludes them", "obstacle", name(obstacle))
                .increment(count);
    }

    private Counter placements(Outcome outcome) {
        return counter("attempts", "Attempts to bind a pod to a node", "outcome", name(outcome));
    }

    private void leftOver(boolean released, long count) {
        counter(
                        "holds.left",
                        "Holds that lasted long, by whether a touch of the pod ended them",
                        "end",
                        released ? "release" : "keep")
                .increment(count);
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private Counter counter(String name, String help, String tag, String value) {
        return Counter.builder("sluice.placement." + name)
                .description(help)
                .tag(tag, value)
                .register(registry);
    }
}
