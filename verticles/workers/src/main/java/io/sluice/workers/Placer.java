package io.sluice.workers;

import io.sluice.bus.Bus;
import io.sluice.bus.PlacementAddresses;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.RankNodes;
import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.Instance;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One attempt to place an instance: which workers could take it, then the best of them. */
final class Placer {
    private final Bus bus;

    Placer(Bus bus) {
        this.bus = bus;
    }

    /**
     * Places the instance on the best of these workers. Never fails.
     *
     * @param others why other workers are not among them
     * @return why it has no worker; empty if it has one
     */
    Future<Optional<String>> place(Instance instance, List<String> workers, String others) {
        if (workers.isEmpty()) {
            return Future.succeededFuture(
                    Optional.of(others.isEmpty() ? "there is no worker" : "no worker may be given it: " + others));
        }
        var nodes = workers.stream().map(WorkerNames::node).toList();
        var rank = new RankNodes(instance.uid(), WorkerNames.NAMESPACE, instance.id(), nodes);
        return bus.request(PlacementAddresses.RANK, rank)
                .compose(ranks -> switch (ranks) {
                    case NodeRanks.PodNotPending _ ->
                        Future.succeededFuture(Optional.of("placement has not observed it yet"));
                    case NodeRanks.Ranked(var ranked) -> best(instance, ranked);
                })
                .otherwise(lost -> Optional.of("placement did not reply: " + lost.getMessage()));
    }

    private Future<Optional<String>> best(Instance instance, List<NodeRanks.NodeRank> ranked) {
        var best = ranked.stream()
                .filter(NodeRanks.NodeRank::fits)
                .max(Comparator.comparingInt(NodeRanks.NodeRank::score)
                        .thenComparing(NodeRanks.NodeRank::node, Comparator.reverseOrder()));
        if (best.isEmpty()) {
            return Future.succeededFuture(Optional.of(reason(ranked)));
        }
        var place = new PlacePod(
                instance.uid(), WorkerNames.NAMESPACE, instance.id(), best.get().node());
        return bus.request(PlacementAddresses.PLACE, place).map(reply -> switch (reply) {
            case PlaceReply.Placed _ -> Optional.empty();
            case PlaceReply.NotPlaced(var reason) -> Optional.of(reason);
            case PlaceReply.InDoubt(var reason) -> Optional.of(reason);
        });
    }

    /** The obstacles, and of those without room the one that is short of least. */
    private static String reason(List<NodeRanks.NodeRank> ranked) {
        var least = ranked.stream()
                .filter(rank -> rank.obstacle() == NodeRanks.Obstacle.NO_ROOM)
                .map(NodeRanks.NodeRank::shortBy)
                .min(Comparator.comparingLong(Resources::milliCpu).thenComparingLong(Resources::memoryBytes));
        long others = ranked.stream()
                .filter(rank -> rank.obstacle() != NodeRanks.Obstacle.NO_ROOM)
                .count();
        return "0 of " + ranked.size() + " workers can take it"
                + least.map(by -> ", the nearest is short of " + by.milliCpu() + "m CPU and " + by.memoryBytes()
                                + " bytes")
                        .orElse("")
                + (others > 0 ? ", " + others + " have no complete ledger or are not ready" : "");
    }
}
