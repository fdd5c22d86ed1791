package io.sluice.ledger.core;

import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Comparator;
import java.util.random.RandomGenerator;

/**
 * How well a node would be filled, in [0, 100]: best at a peak, less when emptier or fuller, less for smaller nodes.
 *
 * @param minUsage the score of an empty node, in [0, 1]
 * @param maxUsage the score of a full node, in [0, 1]
 * @param peak the filled share that scores 1, in (0, 1)
 */
public record Scoring(double minUsage, double maxUsage, double peak) {
    /** Best first: the higher score, then fewer members, then the name. */
    public static final Comparator<Scored> ORDER = Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparingInt(Scored::members)
            .thenComparing(Scored::node);

    private static final double SCALE = 100;

    /**
     * A node's score.
     *
     * @param node its name
     * @param members how many it has
     * @param score in [0, 100]
     */
    public record Scored(String node, int members, double score) {}

    public Scoring {
        if (!(minUsage >= 0 && minUsage <= 1 && maxUsage >= 0 && maxUsage <= 1)) {
            throw new IllegalArgumentException("scores are in [0, 1]: " + minUsage + ", " + maxUsage);
        }
        if (!(peak > 0 && peak < 1)) {
            throw new IllegalArgumentException("the peak lies between 0 and 1: " + peak);
        }
    }

    /**
     * The score of a node with this much reserved once the member is placed.
     *
     * @param largest the largest total of any known node, in each kind
     */
    public double score(Resources reserved, Resources total, Resources largest) {
        return SCALE
                * Math.min(
                        score(ResourceKind.CPU, reserved, total, largest),
                        score(ResourceKind.MEMORY, reserved, total, largest));
    }

    /** Any score from 1 up to this one, so that equal placers do not all choose the same node. */
    public static double randomized(double score, RandomGenerator random) {
        return score <= 1 ? score : random.nextDouble(1, score);
    }

    private double score(ResourceKind kind, Resources reserved, Resources total, Resources largest) {
        if (reserved.of(kind) > total.of(kind) || total.of(kind) == 0) {
            return 0;
        }
        double filled = (double) reserved.of(kind) / total.of(kind);
        double shape = filled <= peak
                ? minUsage + (1 - minUsage) * (filled / peak)
                : maxUsage + (1 - maxUsage) * ((1 - filled) / (1 - peak));
        return shape * total.of(kind) / largest.of(kind);
    }
}
