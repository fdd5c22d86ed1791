package io.sluice.placement.core;

import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.units.Resources;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The nodes that lack least for a pod that waits. */
public final class NearestNodes {
    /** The most nodes whose ledgers are asked. */
    public static final int MOST = 5;

    /** What a node's ledger can explain. */
    private static final Set<Obstacle> OF_LEDGERS = Set.of(
            Obstacle.NO_ROOM, Obstacle.KEPT, Obstacle.NODE_NOT_READY, Obstacle.LEDGER_NOT_READY, Obstacle.DEVICES);

    private NearestNodes() {}

    /**
     * The nodes, the nearest first; none where some node could take the pod by its ledger, as others decide then.
     *
     * @param allowed the nodes on which the pod's scheduler would let it run; empty for many
     * @param largest the largest total of a node
     */
    public static List<String> of(List<NodeRank> ranks, List<String> allowed, Resources largest) {
        var concerned = ranks.stream()
                .filter(rank -> allowed.isEmpty() || allowed.contains(rank.node()))
                .toList();
        if (concerned.stream().anyMatch(NodeRank::fits)) {
            return List.of();
        }
        return concerned.stream()
                .filter(rank -> OF_LEDGERS.contains(rank.obstacle()))
                .sorted(Comparator.<NodeRank>comparingInt(rank -> lacksRoomAlone(rank) ? 0 : 1)
                        .thenComparingDouble(rank -> shortage(rank, largest))
                        .thenComparing(NodeRank::node))
                .limit(MOST)
                .map(NodeRank::node)
                .toList();
    }

    private static boolean lacksRoomAlone(NodeRank rank) {
        return (rank.obstacle() == Obstacle.NO_ROOM || rank.obstacle() == Obstacle.KEPT)
                && rank.shortOf().isNone();
    }

    private static double shortage(NodeRank rank, Resources largest) {
        return (double) rank.shortBy().milliCpu() / Math.max(1, largest.milliCpu())
                + (double) rank.shortBy().memoryBytes() / Math.max(1, largest.memoryBytes());
    }
}
