package io.sluice.messages.placement;

import io.sluice.devices.DeviceMisfit;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The reply to {@link RankNodes}. It promises nothing: only a hold does. */
public sealed interface NodeRanks {
    /** The highest score of a node. */
    int SCORE_MAX = 100;

    /**
     * Each requested node, in the order of the request.
     *
     * @param nodes the nodes
     */
    record Ranked(List<NodeRank> nodes) implements NodeRanks {
        public Ranked {
            nodes = List.copyOf(nodes);
        }
    }

    /** The pod was not observed as pending, so its amounts are unknown. */
    record PodNotPending() implements NodeRanks {}

    /** Why a node cannot take the pod. */
    enum Obstacle {
        /** It can. */
        NONE,
        /** Its reservations and the pod would exceed its total. */
        NO_ROOM,
        /** Its ledger is not complete, or was not observed. */
        LEDGER_NOT_READY,
        /** Its condition Ready is False or Unknown. */
        NODE_NOT_READY,
        /** Room for the pod is held on another node: its VM migrates there, or a bind to it was sent. */
        HELD_ELSEWHERE,
        /** Its room is kept for another pod, which waits longer. */
        KEPT,
        /** More than a threshold of it would be in use. */
        OVER_THRESHOLD,
        /** Nothing was measured on it for long. */
        NOT_MEASURED,
        /** It has no GPU or NUMA zone for the pod. */
        DEVICES,
        /** The pod's gang is not held, whatever node it is. */
        GANG
    }

    /**
     * One node.
     *
     * @param node its name
     * @param obstacle why it cannot take the pod
     * @param shortBy by how much its total would be exceeded; zero unless {@link Obstacle#NO_ROOM}
     * @param score 0 to {@link #SCORE_MAX}, higher is better; 0 where there is an obstacle
     * @param keptFor the pod for which its room is kept, as {@code namespace/name}, for {@link Obstacle#KEPT}; which
     *     threshold is exceeded, for {@link Obstacle#OVER_THRESHOLD}; why the gang waits, for {@link Obstacle#GANG};
     *     else empty
     * @param shortOf the same as {@code shortBy} for the other kinds
     * @param device why it has no GPU or zone for the pod; empty unless {@link Obstacle#DEVICES}
     */
    record NodeRank(
            String node,
            Obstacle obstacle,
            Resources shortBy,
            int score,
            String keptFor,
            FixedAmounts shortOf,
            Optional<DeviceMisfit> device) {
        public NodeRank {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(obstacle, "obstacle");
            Objects.requireNonNull(shortBy, "shortBy");
            Objects.requireNonNull(keptFor, "keptFor");
            Objects.requireNonNull(shortOf, "shortOf");
            Objects.requireNonNull(device, "device");
            if (score < 0 || score > SCORE_MAX) {
                throw new IllegalArgumentException("score must be 0 to " + SCORE_MAX + ", not " + score);
            }
        }

        /** The same with another score. */
        public NodeRank scored(int newScore) {
            return new NodeRank(node, obstacle, shortBy, newScore, keptFor, shortOf, device);
        }

        /** A node that excludes the pod for no GPU. */
        public NodeRank(
                String node, Obstacle obstacle, Resources shortBy, int score, String keptFor, FixedAmounts shortOf) {
            this(node, obstacle, shortBy, score, keptFor, shortOf, Optional.empty());
        }

        /** A node whose room is kept for no other pod. */
        public NodeRank(String node, Obstacle obstacle, Resources shortBy, int score) {
            this(node, obstacle, shortBy, score, "", FixedAmounts.NONE);
        }

        /** Whether the node can take the pod. */
        public boolean fits() {
            return obstacle == Obstacle.NONE;
        }
    }
}
