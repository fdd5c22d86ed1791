package io.sluice.placement.core.elastic;

import io.sluice.messages.ledger.KeptRoom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which room other pods do not get: what jobs give to another one, until its members run there. */
public final class ElasticRooms {
    private ElasticRooms() {}

    /**
     * The rooms that are kept.
     *
     * @param room by the ledger, with all members that run
     * @param begun those that got room of others, of which not all members run yet
     */
    public static List<KeptRoom> kept(LedgerRoom room, Collection<ObservedJob> observed, Set<String> begun) {
        var jobs = observed.stream().flatMap(one -> one.job().stream()).toList();
        var free = room.copy();
        jobs.forEach(free::leave);
        var rooms = new ArrayList<KeptRoom>();
        var nodes = new HashSet<String>();
        for (var one : observed.stream()
                .filter(job -> job.job().isPresent())
                .sorted(Comparator.<ObservedJob>comparingInt(
                                job -> -job.job().get().priority())
                        .thenComparing(ObservedJob::id))
                .toList()) {
            var job = one.job().get();
            int members = members(job, begun);
            var mayBe = new TreeMap<>(free.taken(job, members));
            mayBe.putAll(whereOthersMayLeave(job, members, room, jobs));
            mayBe.forEach((node, count) -> {
                // One room is kept on a node.
                if (nodes.add(node)) {
                    rooms.add(new KeptRoom(
                            node,
                            KeptRoom.OF_WORKLOAD + job.id(),
                            job.namespace() + "/"
                                    + one.object()
                                            .path("targetRef")
                                            .path("name")
                                            .asText(""),
                            job.member().amounts().times(count),
                            job.priority()));
                }
            });
            free.take(job, members);
        }
        return rooms;
    }

    /** Which members leave is the choice of others, so room is kept wherever one may leave. */
    private static Map<String, Integer> whereOthersMayLeave(
            ElasticJob job, int members, LedgerRoom room, List<ElasticJob> jobs) {
        var givers = job.handover().map(ElasticJob.Handover::givers).orElse(Map.of());
        var rooms = new TreeMap<String, Integer>();
        for (var giver : jobs) {
            if (givers.containsKey(giver.id()) && giver.leaving() > 0) {
                room.whereMayLeave(giver, job, members).forEach((node, count) -> rooms.merge(node, count, Math::max));
            }
        }
        rooms.values().removeIf(count -> count == 0);
        return rooms;
    }

    private static int members(ElasticJob job, Set<String> begun) {
        if (job.lacking() > 0) {
            return job.handover().filter(ElasticJob.Handover::isAwaited).isPresent() ? job.lacking() : 0;
        }
        return begun.contains(job.id()) ? job.coming() : 0;
    }
}
