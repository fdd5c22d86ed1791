package io.sluice.placement.core.plugins;

import io.sluice.devices.DeviceMisfit;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** One rule of placement. It filters nodes, scores them, or both, and sees nothing but its arguments. */
public interface PlacementPlugin {
    /**
     * Why a node cannot take a pod.
     *
     * @param obstacle the kind of reason
     * @param shortBy by how much the node's total would be exceeded; zero for other reasons
     * @param keptFor the pod for which the room is kept, or which threshold is exceeded; empty for other reasons
     * @param shortOf the same as {@code shortBy} for the other kinds
     * @param device why it has no GPU or NUMA zone for the pod; empty for other reasons
     */
    record Misfit(
            NodeRanks.Obstacle obstacle,
            Resources shortBy,
            String keptFor,
            FixedAmounts shortOf,
            Optional<DeviceMisfit> device) {
        public Misfit {
            Objects.requireNonNull(obstacle, "obstacle");
            Objects.requireNonNull(shortBy, "shortBy");
            Objects.requireNonNull(keptFor, "keptFor");
            Objects.requireNonNull(shortOf, "shortOf");
            Objects.requireNonNull(device, "device");
        }

        Misfit(NodeRanks.Obstacle obstacle, Resources shortBy, String keptFor, FixedAmounts shortOf) {
            this(obstacle, shortBy, keptFor, shortOf, Optional.empty());
        }

        /** Of a node without a GPU or a zone for the pod. */
        public static Misfit of(DeviceMisfit misfit) {
            return new Misfit(NodeRanks.Obstacle.DEVICES, Resources.NONE, "", FixedAmounts.NONE, Optional.of(misfit));
        }

        Misfit(NodeRanks.Obstacle obstacle, Resources shortBy) {
            this(obstacle, shortBy, "", FixedAmounts.NONE);
        }
    }

    /** The same rule with what it needs to know of all candidates together. */
    default PlacementPlugin forAttempt(PodToPlace pod, List<NodeSnapshot> candidates) {
        return this;
    }

    /** Why the node cannot take the pod; empty where this rule does not exclude it. */
    default Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        return Optional.empty();
    }

    /**
     * How well the node suits the pod, from 0 to 1; empty where this rule gives no score.
     *
     * @param largest the largest total of any node, kind by kind
     */
    default OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return OptionalDouble.empty();
    }

    /** How much its score counts beside those of others. */
    default double weight(PodToPlace pod) {
        return 1;
    }

    /** Whether differences of scores below a tenth count for the pod. */
    default boolean isFine(PodToPlace pod) {
        return false;
    }

    /** What the score of all rules together is multiplied by, 0 to 1. */
    default double factor(PodToPlace pod, NodeSnapshot node) {
        return 1;
    }
}
