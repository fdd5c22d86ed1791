package io.sluice.simulation.model.placement;

import io.sluice.devices.Zone;
import io.sluice.devices.ZoneRequest;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.NodeObject;
import io.sluice.simulation.model.World;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The kubelets of nodes with NUMA zones. Each gives an aligned pod one of the zones with room, refuses it where there
 * is none, and reports its zones now and then.
 */
final class Kubelets {
    private static final long REPORTS_APART = Seconds.of(4);

    private final World world;
    private final Chance chance;
    private final Map<ModelPod, Integer> zoneOf = new HashMap<>();
    private final List<String> refused = new ArrayList<>();

    Kubelets(World world) {
        this.world = world;
        chance = world.faults().chance("zones");
    }

    /** What a new pod requests of one zone: nothing, or whole CPUs. */
    FixedAmounts request() {
        return chance.oneIn(2)
                ? FixedAmounts.NONE
                : new ZoneRequest(
                                List.of(FixedAmounts.of(Map.of(NodeObject.ZONED, 1_000L * (1 + chance.below(4))))),
                                List.of())
                        .kinds();
    }

    /** Begins to report. */
    void begin() {
        world.time().in(1 + chance.below(REPORTS_APART), () -> {
            world.api().zonedNodes().forEach(node -> {
                if (chance.oneIn(2)) {
                    world.api().report(node, zones(node));
                }
            });
            begin();
        });
    }

    private List<Zone> zones(String node) {
        var all = FixedAmounts.of(Map.of(NodeObject.ZONED, NodeObject.ZONE_MILLI_CPU));
        return IntStream.range(0, NodeObject.ZONES)
                .mapToObj(zone ->
                        new Zone(zone, all, FixedAmounts.of(Map.of(NodeObject.ZONED, free(node, zone))), Map.of()))
                .toList();
    }

    private long free(String node, int zone) {
        return NodeObject.ZONE_MILLI_CPU
                - zoneOf.entrySet().stream()
                        .filter(pod -> pod.getValue() == zone
                                && pod.getKey().boundTo().filter(node::equals).isPresent())
                        .mapToLong(pod -> requested(pod.getKey()))
                        .sum();
    }

    private static long requested(ModelPod pod) {
        return ZoneRequest.of(pod.fixed()).containers().stream()
                .mapToLong(container -> container.of(NodeObject.ZONED))
                .sum();
    }

    /** A pod was bound. */
    void admits(ModelPod pod, String node) {
        if (requested(pod) == 0 || !world.api().zonedNodes().contains(node)) {
            return;
        }
        var fitting = IntStream.range(0, NodeObject.ZONES)
                .filter(zone -> free(node, zone) >= requested(pod))
                .toArray();
        if (fitting.length > 0) {
            zoneOf.put(pod, fitting[chance.below(fitting.length)]);
        } else if (world.placement().pods().stream()
                .filter(other -> other.boundTo().filter(node::equals).isPresent())
                .noneMatch(other -> world.ledger().lostSince(node, other.heldAt()))) {
            refused.add(pod.name() + " of " + requested(pod) + "m on " + node + " with " + zones(node));
        }
    }

    /** The pods that found no zone although the ledger had held room for them. */
    List<String> refused() {
        return refused;
    }
}
