package io.sluice.agent.core.policy;

/** Quantiles of sorted samples, interpolated between neighbours. */
public final class Quantiles {
    private Quantiles() {}

    /** The quantile of sorted samples; 0 of none. */
    public static double of(double[] sorted, double share) {
        if (sorted.length == 0) {
            return 0;
        }
        double at = share * (sorted.length - 1);
        int below = (int) Math.floor(at);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
