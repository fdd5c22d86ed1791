package io.sluice.devices;

import io.sluice.devices.DeviceMisfit.Cause;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * In which zones a pod can be aligned. What a container takes of its zone is gone for the next one. A resource that no
 * zone names is of the node as a whole, and not asked for here.
 */
public final class ZoneFit {
    private ZoneFit() {}

    /** The zones of each container, or of the pod as a whole; empty where its kubelet would refuse it. */
    public static Optional<List<List<Integer>>> zones(NodeZones node, ZoneRequest pod) {
        var left = node;
        var chosen = new ArrayList<List<Integer>>();
        for (var part : parts(node, pod)) {
            var zones = zones(left, part);
            if (zones.isEmpty()) {
                return Optional.empty();
            }
            chosen.add(zones.get().stream().map(Zone::id).toList());
            left = taking(left, zones.get(), part);
        }
        boolean starts = node.byPod()
                || pod.init().stream()
                        .allMatch(init -> zones(node, aligned(node, init)).isPresent());
        return starts ? Optional.of(chosen) : Optional.empty();
    }

    private static Optional<List<Zone>> zones(NodeZones node, FixedAmounts wanted) {
        return candidates(node, wanted).stream().findFirst();
    }

    /** The sets of zones in which a part can be aligned, those of low numbers first. */
    static List<List<Zone>> candidates(NodeZones node, FixedAmounts wanted) {
        return switch (node.policy()) {
            case NONE, BEST_EFFORT -> List.of(List.of());
            case SINGLE_ZONE -> sets(node, 1, wanted, Zone::available);
            case RESTRICTED -> fewest(node, wanted);
        };
    }

    /** The same after a part took what it needs of some zones. */
    static NodeZones taking(NodeZones node, List<Zone> zones, FixedAmounts part) {
        return node.with(without(node.zones(), zones, part));
    }

    /** What is aligned together: each container, or the most that the pod takes as a whole. */
    public static List<FixedAmounts> parts(NodeZones node, ZoneRequest pod) {
        var together = pod.init().stream().reduce(pod.together(), FixedAmounts::max);
        return (node.byPod() ? List.of(together) : pod.containers())
                .stream().map(part -> aligned(node, part)).toList();
    }

    private static FixedAmounts aligned(NodeZones node, FixedAmounts part) {
        return part.only(node::have);
    }

    /**
     * What a pod takes of the zones as long as its kubelet has not shown where it is: of each zone all that it
     * requests, or what is left. So no zone is promised twice, wherever the pods are. Nothing where its kubelet admits
     * it anyway.
     *
     * @param totals what the node can give, zone by zone
     * @param reserved what of that is reserved
     */
    public static FixedAmounts taken(NodeZones node, FixedAmounts totals, FixedAmounts reserved, ZoneRequest pod) {
        return taken(node.free(totals, reserved), pod, Zone::available);
    }

    /**
     * The same of a pod for which no room was held: all that it requests in each zone that could ever give it, since it
     * may be in one that has none left.
     */
    public static FixedAmounts taken(NodeZones node, ZoneRequest pod) {
        return taken(node, pod, Zone::allocatable);
    }

    private static FixedAmounts taken(NodeZones node, ZoneRequest pod, Function<Zone, FixedAmounts> most) {
        var taken = new HashMap<String, Long>();
        if (node.refuses() && !pod.isNone()) {
            var wanted = pod.init().stream().reduce(pod.together(), FixedAmounts::max);
            node.zones()
                    .forEach(zone -> wanted.min(most.apply(zone))
                            .byKind()
                            .forEach((resource, amount) -> taken.put(Zone.kind(zone.id(), resource), amount)));
        }
        return FixedAmounts.of(taken);
    }

    /**
     * The zones in which a pod may be by what it takes of them: those with enough for one of its parts, or of which it
     * takes something where it may be in several.
     */
    public static List<Integer> zones(NodeZones node, FixedAmounts taken, ZoneRequest pod) {
        var parts = parts(node, pod).stream().filter(part -> !part.isNone()).toList();
        boolean single = node.policy() == NodeZones.Policy.SINGLE_ZONE;
        return node.free(taken, FixedAmounts.NONE).zones().stream()
                .filter(zone -> single
                        ? parts.stream().anyMatch(part -> !part.exceeds(zone.available()))
                        : !zone.available().isNone())
                .map(Zone::id)
                .toList();
    }

    /**
     * Why a pod cannot be aligned on a node; empty where it can.
     *
     * @param totals what the node can give, zone by zone
     * @param reserved what of that is reserved
     */
    public static Optional<DeviceMisfit> misfit(
            NodeZones node, FixedAmounts totals, FixedAmounts reserved, ZoneRequest pod) {
        if (!node.refuses() || pod.isNone()) {
            return Optional.empty();
        }
        var free = node.free(totals, reserved);
        if (zones(free, pod).isPresent()) {
            return Optional.empty();
        }
        boolean known =
                node.pods().isEmpty() || totals.byKind().keySet().stream().anyMatch(Zone::isKind);
        boolean later =
                !known || zones(node.free(totals, FixedAmounts.NONE), pod).isPresent();
        return Optional.of(
                later
                        ? new DeviceMisfit(Cause.NUMA_PESSIMISTIC, known ? most(free, pod) : "no report of its pods")
                        : new DeviceMisfit(Cause.NUMA_NO_ZONE, most(free, pod)));
    }

    private static String most(NodeZones free, ZoneRequest pod) {
        return parts(free, pod).stream()
                .flatMap(part -> part.byKind().keySet().stream())
                .distinct()
                .map(resource -> "max free " + resource + "="
                        + free.zones().stream()
                                .mapToLong(zone -> zone.available().of(resource))
                                .max()
                                .orElse(0))
                .collect(Collectors.joining(", "));
    }

    /** As few zones as could hold it if they were empty, which have it free now. */
    private static List<List<Zone>> fewest(NodeZones node, FixedAmounts wanted) {
        for (int size = 1; size <= node.zones().size(); size++) {
            if (!sets(node, size, wanted, Zone::allocatable).isEmpty()) {
                return sets(node, size, wanted, Zone::available);
            }
        }
        return List.of();
    }

    /** The sets of that many zones which have enough together, those of low numbers first. */
    public static List<List<Zone>> sets(
            NodeZones node, int size, FixedAmounts wanted, Function<Zone, FixedAmounts> amounts) {
        var sets = new ArrayList<List<Zone>>();
        collect(node.zones(), size, 0, new ArrayList<>(), set -> {
            var together = set.stream().map(amounts).reduce(FixedAmounts.NONE, FixedAmounts::plus);
            if (!wanted.exceeds(together)) {
                sets.add(List.copyOf(set));
            }
        });
        return sets;
    }

    /** Passes all sets of that many zones. */
    public static void collect(List<Zone> zones, int size, int from, List<Zone> set, Consumer<List<Zone>> taker) {
        if (set.size() == size) {
            taker.accept(set);
            return;
        }
        for (int next = from; next < zones.size(); next++) {
            set.add(zones.get(next));
            collect(zones, size, next + 1, set, taker);
            set.removeLast();
        }
    }

    /** Takes from the first zones of a set as much as they have. */
    private static List<Zone> without(List<Zone> all, List<Zone> chosen, FixedAmounts wanted) {
        Map<Integer, FixedAmounts> left = new HashMap<>();
        var rest = wanted;
        for (var zone : chosen) {
            var here = rest.min(zone.available());
            left.put(zone.id(), zone.available().minus(here));
            rest = rest.minus(here);
        }
        return all.stream()
                .map(zone -> left.containsKey(zone.id()) ? zone.having(left.get(zone.id())) : zone)
                .toList();
    }
}
