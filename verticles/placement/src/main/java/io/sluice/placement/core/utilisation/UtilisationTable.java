package io.sluice.placement.core.utilisation;

import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What was measured on nodes, and the pods that went there since. A pod that is newer than what was measured counts
 * with what it is expected to use. Everything is bounded.
 */
public final class UtilisationTable {
    private static final int NODES_MAX = 20_000;
    private static final int PLACED_ON_NODE_MAX = 1_000;
    private static final int RECORDS_MAX = 50_000;
    private static final Duration PLACED_KEPT = Duration.ofMinutes(10);

    private final Map<String, NodeMetrics> measured = new HashMap<>();
    private final Map<String, Deque<Placed>> placed = new HashMap<>();
    private final Map<String, Annotated> annotated = new HashMap<>();
    private final Map<String, UtilisationRules.Thresholds> thresholds = new HashMap<>();
    private final Map<String, Resources> recorded = new HashMap<>();
    private Instant now = Instant.EPOCH;

    /** What annotations say of a node's GPUs. */
    private record Annotated(List<DeviceUse> devices, Instant at) {}

    /** A pod that went to a node. */
    private record Placed(String uid, ExpectedUse use, Instant at) {}

    /** Applies what was measured on nodes; of two of a node the later one counts. */
    public void measured(Collection<NodeMetrics> nodes) {
        nodes.forEach(node -> {
            if (measured.containsKey(node.node()) || measured.size() < NODES_MAX) {
                measured.merge(node.node(), node, (one, other) -> other.at().isBefore(one.at()) ? one : other);
            }
        });
    }

    /**
     * Applies what a node's annotations say of its GPUs, and since when. They count where nothing else was measured.
     */
    public void annotated(String node, List<DeviceUse> devices, Instant at) {
        if (devices.isEmpty()) {
            annotated.remove(node);
        } else if (!devices.equals(
                Optional.ofNullable(annotated.get(node)).map(Annotated::devices).orElse(List.of()))) {
            annotated.put(node, new Annotated(devices, at));
        }
    }

    /** What did not change for long may have ended to be true. */
    private List<DeviceUse> devices(String node, List<DeviceUse> known, Duration period) {
        var written = annotated.get(node);
        if (!known.isEmpty() || written == null) {
            return known;
        }
        return UtilisationRules.isStale(Duration.between(written.at(), now), period)
                ? written.devices().stream().map(DeviceUse::unknown).toList()
                : written.devices();
    }

    /** Applies a node's own thresholds; empty where it has none. */
    public void thresholds(String node, Optional<UtilisationRules.Thresholds> own) {
        own.ifPresentOrElse(known -> thresholds.put(node, known), () -> thresholds.remove(node));
    }

    /** Whether some node has thresholds of its own. */
    public boolean hasThresholds() {
        return !thresholds.isEmpty();
    }

    /** Removes a node that is gone. */
    public void gone(String node) {
        measured.remove(node);
        annotated.remove(node);
        placed.remove(node);
        thresholds.remove(node);
    }

    /** A pod goes to a node. */
    public void placed(String node, String uid, ExpectedUse use, Instant at) {
        var pods = placed.computeIfAbsent(node, added -> new ArrayDeque<>());
        pods.removeIf(pod -> pod.uid().equals(uid));
        if (pods.size() < PLACED_ON_NODE_MAX) {
            pods.addLast(new Placed(uid, use, at));
        }
    }

    /** A pod did not go there after all. */
    public void notPlaced(String node, String uid) {
        Optional.ofNullable(placed.get(node))
                .ifPresent(pods -> pods.removeIf(pod -> pod.uid().equals(uid)));
    }

    /** Records what an owner's pods use; the highest counts later. */
    public void recorded(String owner, Resources use) {
        if (recorded.containsKey(owner) || recorded.size() < RECORDS_MAX) {
            recorded.merge(owner, use, Resources::max);
        }
    }

    /** The highest use of an owner's pods so far. */
    public Optional<Resources> peakOf(String owner) {
        return Optional.ofNullable(recorded.get(owner));
    }

    /** Removes an owner that is gone. */
    public void ended(String owner) {
        recorded.remove(owner);
    }

    /** Takes the time. Pods that every measurement since has seen are left out from now on. */
    public void look(Instant time) {
        now = time;
        placed.values()
                .forEach(pods -> pods.removeIf(pod -> pod.at().plus(PLACED_KEPT).isBefore(time)));
        placed.values().removeIf(Deque::isEmpty);
    }

    /** The node by what was measured on it. */
    public NodeLoad load(String node, Resources total, Duration period) {
        var known = measured.get(node);
        if (known == null) {
            return new NodeLoad(
                    node,
                    total,
                    total,
                    total,
                    List.of(),
                    0,
                    NodeLoad.NEVER,
                    ownThresholds(node),
                    OptionalDouble.empty());
        }
        var since = since(node, known.at().minus(period));
        return new NodeLoad(
                node,
                total,
                UtilisationRules.share(total, known.cpu(), known.memory()).plus(since.host()),
                UtilisationRules.share(total, known.cpuPeak(), known.memoryPeak())
                        .plus(since.host()),
                devices(node, known.devices(), period),
                since.cards(),
                Duration.between(known.at(), now),
                ownThresholds(node),
                known.waiting());
    }

    /** The node by what its VMs report, and what is reserved for others; that is never stale. */
    public NodeLoad load(String node, Resources total, Resources inUse, Duration period) {
        return new NodeLoad(
                node,
                total,
                inUse,
                inUse,
                devices(node, List.of(), period),
                0,
                Duration.ZERO,
                ownThresholds(node),
                OptionalDouble.empty());
    }

    private Optional<UtilisationRules.Thresholds> ownThresholds(String node) {
        return Optional.ofNullable(thresholds.get(node));
    }

    private ExpectedUse since(String node, Instant after) {
        return placed.getOrDefault(node, new ArrayDeque<>()).stream()
                .filter(pod -> pod.at().isAfter(after))
                .map(Placed::use)
                .reduce(ExpectedUse.NONE, ExpectedUse::plus);
    }
}
