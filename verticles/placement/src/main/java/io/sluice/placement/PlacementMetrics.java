package io.sluice.placement;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.placement.core.PlacementRules.HoldEnd;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** The metrics of this role. Series whose tags are known in advance start at zero. */
final class PlacementMetrics {
    /** Results of placements, as tags. */
    enum Outcome {
        PLACED,
        NOT_PENDING,
        HOLD_REFUSED,
        HOLD_LOST,
        NOT_BOUND,
        IN_DOUBT
    }

    private final MeterRegistry registry;
    private final Timer waited;
    private final Counter dropped;
    private final Counter woken;

    PlacementMetrics(MeterRegistry registry, IntSupplier pending) {
        this.registry = registry;
        Gauge.builder("sluice.placement.pods.pending", pending, IntSupplier::getAsInt)
                .description("Pods that wait for a node")
                .register(registry);
        waited = Timer.builder("sluice.placement.wait")
                .description("Time from the first observation of a pending pod to its bind")
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
        List.of(HoldEnd.values()).forEach(this::leftOver);
        List.of(NodeRanks.Obstacle.values()).forEach(this::ranked);
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

    void leftOverEnded(HoldEnd end) {
        leftOver(end).increment();
    }

    void ranked(List<NodeRanks.NodeRank> nodes) {
        nodes.stream()
                .collect(Collectors.groupingBy(NodeRanks.NodeRank::obstacle, Collectors.counting()))
                .forEach((obstacle, count) -> ranked(obstacle).increment(count));
    }

    private Counter ranked(NodeRanks.Obstacle obstacle) {
        return counter("nodes.ranked", "Nodes that were ranked for a pod, by what excludes them", "obstacle", obstacle);
    }

    private Counter placements(Outcome outcome) {
        return counter("attempts", "Attempts to bind a pod to a node", "outcome", outcome);
    }

    private Counter leftOver(HoldEnd end) {
        return counter("holds.left", "Holds that lasted longer than any bind, by how a read ended them", "end", end);
    }

    private Counter counter(String name, String help, String tag, Enum<?> value) {
        return Counter.builder("sluice.placement." + name)
                .description(help)
                .tag(tag, value.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
