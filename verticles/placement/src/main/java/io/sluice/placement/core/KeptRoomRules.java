package io.sluice.placement.core;

import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.PendingPods.WithoutNode;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.ResourceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides for which pods room is kept. Without it small pods could take, piece by piece, all room that becomes free,
 * and a large pod would wait for ever. The ledger keeps it, from other pods of no higher priority alone: VMs on the
 * node still grow into it.
 */
public final class KeptRoomRules {
    /** How long a pod waits before room is kept for it. */
    public static final Duration WAITS_LONG = Duration.ofSeconds(10);

    /** The longest time for which a room is kept. */
    public static final Duration KEPT_FOR = KeepRoom.KEPT_AT_MOST;

    /** The shortest time between two rooms for one pod, so that a pod that never fits does not block a node. */
    public static final Duration AGAIN_AFTER = Duration.ofMinutes(5);

    private static final int ROOMS_MAX = 20;

    private final Map<String, TimedRoom> rooms = new HashMap<>();

    /** @param room empty where the ledger refused it, so that another node is chosen for the rest of the time */
    private record TimedRoom(Optional<KeptRoom> room, Instant since) {
        boolean counts(Instant now) {
            return now.isBefore(since.plus(KEPT_FOR));
        }

        boolean isPast(Instant now) {
            return !now.isBefore(since.plus(AGAIN_AFTER));
        }

        KeepRoom request(Instant now) {
            return new KeepRoom(room.orElseThrow(), Duration.between(now, since.plus(KEPT_FOR)));
        }
    }

    /**
     * The rooms that the ledger is to keep now, each until it has been kept for {@link #KEPT_FOR}.
     *
     * @param waiting the pods that found no node, those that wait longest first
     */
    public List<KeepRoom> keep(List<WithoutNode> waiting, NodeTable nodes, Instant now) {
        var byUid =
                waiting.stream().collect(Collectors.toMap(pod -> pod.pod().pod().uid(), Function.identity()));
        rooms.keySet().retainAll(byUid.keySet());
        rooms.values().removeIf(kept -> kept.isPast(now));
        // Another process has decided that before this one; the ledger ends it.
        byUid.keySet().stream()
                .filter(uid -> !rooms.containsKey(uid) && nodes.isKeptFor(uid))
                .forEach(uid -> rooms.put(uid, new TimedRoom(Optional.empty(), now.minus(KEPT_FOR))));
        var taken = new HashSet<String>();
        rooms.values().stream()
                .filter(kept -> kept.counts(now))
                .forEach(kept -> kept.room().map(KeptRoom::node).ifPresent(taken::add));
        for (var pod : waiting) {
            var uid = pod.pod().pod().uid();
            boolean due = !now.isBefore(pod.since().plus(WAITS_LONG)) && needsRoom(uid, now) && !nodes.isNominated(uid);
            if (due && taken.size() < ROOMS_MAX) {
                best(pod, nodes, taken).ifPresent(node -> {
                    taken.add(node);
                    var since = Optional.ofNullable(rooms.get(uid)).map(TimedRoom::since);
                    rooms.put(uid, new TimedRoom(Optional.of(room(pod.pod(), node)), since.orElse(now)));
                });
            }
        }
        return rooms.values().stream()
                .filter(kept -> kept.counts(now) && kept.room().isPresent())
                .map(kept -> kept.request(now))
                .sorted(Comparator.comparing(kept -> kept.room().node()))
                .toList();
    }

    private boolean needsRoom(String uid, Instant now) {
        var kept = rooms.get(uid);
        return kept == null || kept.room().isEmpty() && kept.counts(now);
    }

    /** Applies the ledger's reply. */
    public void replied(KeptRoom room, KeepReply reply) {
        switch (reply) {
            case KeepReply.Kept _, KeepReply.Ended _ -> {}
            case KeepReply.OfAnother _, KeepReply.TooLarge _, KeepReply.NotReady _ ->
                rooms.computeIfPresent(
                        room.uid(),
                        (uid, kept) -> kept.room().filter(room::equals).isPresent()
                                ? new TimedRoom(Optional.empty(), kept.since())
                                : kept);
        }
    }

    private static KeptRoom room(PodToPlace pod, String node) {
        var observed = pod.pod();
        return new KeptRoom(
                node,
                observed.uid(),
                observed.namespace() + "/" + observed.name(),
                pod.charge(),
                observed.fixed(),
                observed.priority());
    }

    /**
     * The node that lacks least, as a share of its total, of those whose total is enough, and on which no room is kept
     * from the pod.
     */
    private static Optional<String> best(WithoutNode pod, NodeTable nodes, HashSet<String> taken) {
        var charge = pod.pod().charge();
        return nodes.of(pod.pod(), pod.candidates())
                .filter(node -> node.complete() && node.readiness() == NodeReadiness.READY)
                .filter(node -> !charge.exceeds(node.total())
                        && !node.devices()
                                .node()
                                .counted(pod.pod().pod().fixed(), node.fixedTotal())
                                .exceeds(node.fixedTotal()))
                .filter(node -> !taken.contains(node.node())
                        && node.kept().stream()
                                .noneMatch(
                                        room -> room.upTo() >= pod.pod().pod().priority()))
                .min(Comparator.<NodeSnapshot>comparingDouble(node -> lacking(pod.pod(), node))
                        .thenComparing(NodeSnapshot::node))
                .map(NodeSnapshot::node);
    }

    private static double lacking(PodToPlace pod, NodeSnapshot node) {
        var missing = node.reserved().plus(pod.charge()).minus(node.total());
        double most = 0;
        for (var kind : ResourceKind.values()) {
            most = Math.max(
                    most, (double) missing.of(kind) / Math.max(1, node.total().of(kind)));
        }
        return most;
    }
}
