package io.sluice.agent.core.runner;

/**
 * How scaling is noted for whoever keeps books of it: section {@code agent.scalingEvents}.
 *
 * @param cuMultiplier how many of the compute units that people outside reckon in one of {@code agent.computeUnit} is
 * @param rereportThreshold a goal that stayed the same is noted again when a part of it has moved by this many of the
 *     units that people outside reckon in; 0 for every move
 */
public record ScalingEventRecorderConfig(double cuMultiplier, double rereportThreshold) {
    /** How Neon's agents are deployed. */
    public static final ScalingEventRecorderConfig DEFAULTS = new ScalingEventRecorderConfig(0.25, 0.25);

    private static final double MULTIPLIER_MAX = 1_000;

    public ScalingEventRecorderConfig {
        if (!(cuMultiplier > 0 && cuMultiplier <= MULTIPLIER_MAX)) {
            throw new IllegalArgumentException("agent.scalingEvents.cuMultiplier=" + cuMultiplier
                    + " must be above 0 and at most " + MULTIPLIER_MAX);
        }
        if (!(rereportThreshold >= 0 && Double.isFinite(rereportThreshold))) {
            throw new IllegalArgumentException(
                    "agent.scalingEvents.rereportThreshold=" + rereportThreshold + " must be 0 or more");
        }
    }

    long milliCu(int units) {
        return Math.round(1_000 * (units * cuMultiplier));
    }

    /** Whether a part that moved by this much is worth another word. */
    boolean isWorthAWord(double moved) {
        return moved != 0 && Math.abs(moved) >= rereportThreshold;
    }
}
