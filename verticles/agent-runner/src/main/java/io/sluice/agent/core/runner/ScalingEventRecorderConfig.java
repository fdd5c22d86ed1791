package io.sluice.agent.core.runner;

/**
 * How scaling events are made for external records: section {@code agent.scalingEvents}.
 *
 * @param cuMultiplier the compute units of the events' consumers in one {@code agent.computeUnit}
 * @param rereportThreshold the change of a demand, in compute units of the events' consumers, after which an unchanged
 *     goal is recorded again; 0 for every change
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

    /** Whether a part has moved far enough to be recorded again. */
    boolean isWorthRecording(double moved) {
        return moved != 0 && Math.abs(moved) >= rereportThreshold;
    }
}
