package io.sluice.placement.core.gangs;

import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.placement.core.GangAttemptId;
import io.sluice.placement.core.KeptRoomRules;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides on which nodes room is kept for a gang that waits long. Without it small pods could take, piece by piece, all
 * room that becomes free. One gang at a time has its turn: that of the highest priority, then the oldest one. All its
 * rooms end a minute after the first one began, and others have their turns before it has another one.
 */
final class GangRooms {
    private static final SchedulingRules WITHOUT_ROOM = SchedulingRules.withoutRoom();

    /** A gang that would need more nodes than these has no room kept. */
    private static final int NODES_MAX = 32;

    private final Gangs gangs;
    private final ClusterTable cluster;
    private final GangSurroundings surroundings;
    private final Map<GangKey, Instant> begun = new HashMap<>();
    private Optional<Turn> turn = Optional.empty();
    private List<KeptRoom> requested = List.of();

    /** The gang for which room is kept. */
    private static final class Turn {
        final GangKey gang;
        final Instant since;
        final BitSet refused = new BitSet();
        String unique;
        boolean tried;
        List<?> plannedFor = List.of();
        Map<String, KeptRoom> rooms = Map.of();

        Turn(GangKey gang, Instant since, String unique) {
            this.gang = gang;
            this.since = since;
            this.unique = unique;
        }

        boolean isOf(GangRecord record) {
            return gang.equals(record.key());
        }

        boolean isOver(Instant now) {
            return !now.isBefore(since.plus(KeptRoomRules.KEPT_FOR));
        }
    }

    GangRooms(Gangs gangs, ClusterTable cluster, GangSurroundings surroundings) {
        this.gangs = gangs;
        this.cluster = cluster;
        this.surroundings = surroundings;
    }

    /** The gang whose turn it is now. */
    Optional<GangRecord> next(Predicate<GangRecord> underWay, Instant now) {
        begun.values().removeIf(since -> !now.isBefore(since.plus(KeptRoomRules.AGAIN_AFTER)));
        var next = gangs.all().stream()
                .filter(record -> waits(record, underWay, now))
                .min(Comparator.<GangRecord>comparingInt(record -> -record.priority())
                        .thenComparing(record -> !isTurnOf(record))
                        .thenComparing(record -> record.spec().orElseThrow().createdAt())
                        .thenComparing(GangRecord::key));
        if (turn.isPresent() && next.filter(turn.get()::isOf).isEmpty()) {
            gangs.find(turn.get().gang).ifPresent(record -> keptOn(record, 0));
            turn = Optional.empty();
        }
        if (turn.isEmpty() && next.isPresent()) {
            var key = next.get().key();
            begun.put(key, now);
            turn = Optional.of(new Turn(key, now, surroundings.unique()));
        }
        return next;
    }

    private boolean isTurnOf(GangRecord record) {
        return turn.filter(its -> its.isOf(record)).isPresent();
    }

    private boolean waits(GangRecord record, Predicate<GangRecord> underWay, Instant now) {
        if (isTurnOf(record) ? turn.get().isOver(now) : begun.containsKey(record.key()) || underWay.test(record)) {
            return false;
        }
        return record.spec().filter(spec -> !spec.waits()).isPresent()
                && (underWay.test(record) || record.obstacle().isEmpty())
                && record.lacksRoomSince()
                        .filter(since -> !now.isBefore(since.plus(KeptRoomRules.WAITS_LONG)))
                        .isPresent()
                // Others were evicted for it, and their room is kept.
                && record.pending().stream()
                        .allMatch(member ->
                                cluster.nominations().node(member.uid()).isEmpty());
    }

    /** The requests that are due: those for rooms that are kept no longer come first. */
    List<KeepRoom> requests(Optional<GangRecord> next, List<PendingPod> members, boolean underWay, Instant now) {
        next.filter(record -> !underWay).ifPresent(record -> {
            plan(record, members, turn.orElseThrow());
            keptOn(record, turn.get().rooms.size());
            // It would not fit on empty nodes, or others keep them.
            turn = turn.filter(its -> !its.rooms.isEmpty());
        });
        var rooms = turn.map(its -> List.copyOf(its.rooms.values())).orElse(List.of());
        var requests = new ArrayList<KeepRoom>();
        requested.stream()
                .filter(room -> rooms.stream().noneMatch(other -> isSame(room, other)))
                .forEach(room -> requests.add(KeepRoom.end(room)));
        requested = rooms;
        turn.ifPresent(its -> {
            var left = Duration.between(now, its.since.plus(KeptRoomRules.KEPT_FOR));
            rooms.forEach(room -> requests.add(new KeepRoom(room, left)));
        });
        cluster.keptFor(
                rooms.stream().findFirst().map(KeptRoom::uid).orElse(""),
                next.map(record ->
                                record.pending().stream().map(GangMember::uid).collect(Collectors.toSet()))
                        .orElse(Set.of()));
        return requests;
    }

    private static boolean isSame(KeptRoom one, KeptRoom other) {
        return one.node().equals(other.node()) && one.uid().equals(other.uid());
    }

    /** What is kept stays where it is as long as it suits. */
    private void plan(GangRecord record, List<PendingPod> members, Turn its) {
        if (its.tried) {
            its.unique = surroundings.unique();
            its.tried = false;
        }
        var id = new GangAttemptId(record.need(), record.started(), its.unique).text();
        var uids = members.stream().map(member -> member.spec().uid()).toList();
        var plannedFor = List.of(id, uids, its.refused.clone());
        if (!its.rooms.isEmpty()
                && plannedFor.equals(its.plannedFor)
                && its.rooms.keySet().stream()
                        .allMatch(node -> cluster.known(node).isPresent())) {
            return;
        }
        its.plannedFor = plannedFor;
        int most = Math.max(1, record.need());
        var rooms = new TreeMap<String, KeptRoom>();
        var plan = WholeGang.plan(
                WholeGang.largestFirst(members, cluster.largest()).stream()
                        .limit(most)
                        .toList(),
                most,
                cluster,
                WITHOUT_ROOM,
                (member, nodes) -> choose(record, id, member, nodes, rooms, its));
        its.rooms = plan.fits() && rooms.size() <= NODES_MAX ? rooms : Map.of();
    }

    /** The node where room for the member lacks least, beside those of the gang that are there already. */
    private int choose(
            GangRecord record, String id, PendingPod member, BitSet nodes, Map<String, KeptRoom> rooms, Turn its) {
        nodes.andNot(its.refused);
        var fixed =
                surroundings.observed(member.spec().uid()).orElseThrow().pod().fixed();
        return cluster.leastLacking(nodes, member.charge(), node -> {
                    var before = Optional.ofNullable(rooms.get(node));
                    return new KeptRoom(
                            node,
                            id,
                            "gang " + record.key().label(),
                            before.map(KeptRoom::charge).orElse(Resources.NONE).plus(member.charge()),
                            before.map(KeptRoom::fixed)
                                    .orElse(FixedAmounts.NONE)
                                    .plus(fixed),
                            record.priority());
                })
                .map(room -> {
                    rooms.put(room.node(), room);
                    return cluster.known(room.node()).getAsInt();
                })
                .orElse(WholeGang.NO_NODE);
    }

    private void keptOn(GangRecord record, int nodes) {
        if (record.keptOn(nodes)) {
            gangs.changed(record);
        }
    }

    /** What the id of a gang's next attempt has that no other one has; it may take the room that is kept for it. */
    String unique(GangRecord record) {
        if (!isTurnOf(record) || turn.get().tried) {
            return surroundings.unique();
        }
        turn.get().tried = true;
        return turn.get().unique;
    }

    /** Applies the ledger's reply. Where it refuses, another node is chosen for the rest of the time. */
    void replied(KeptRoom room, KeepReply reply) {
        boolean refused = switch (reply) {
            case KeepReply.Kept _, KeepReply.Ended _ -> false;
            case KeepReply.OfAnother(var pod) -> !pod.equals(room.pod());
            case KeepReply.TooLarge _, KeepReply.NotReady _ -> true;
        };
        turn.filter(its -> refused && its.rooms.containsValue(room))
                .ifPresent(its -> cluster.known(room.node()).ifPresent(its.refused::set));
    }
}
