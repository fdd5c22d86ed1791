package io.sluice.replay.core.fleet;

import java.util.Arrays;

/** Whether VMs have to leave a node. */
interface OverloadRule {
    boolean isOverloaded(FleetNode node);

    /** THR: more than a share of the node is requested. */
    static OverloadRule threshold(double share) {
        return node -> node.requestedShare() > share;
    }

    /** LR: a line through the last ten measurements reaches the node's size within a migration. */
    static OverloadRule regression(double safety) {
        return node -> {
            var history = node.history();
            return history.length < LocalRules.POINTS
                    ? LocalRules.FALLBACK.isOverloaded(node)
                    : LocalRules.predicted(history) * safety >= 1;
        };
    }

    /** MAD: the more the use varies around its median, the less may be requested. */
    static OverloadRule deviation(double safety) {
        return node -> {
            var history = node.history();
            return history.length < LocalRules.MEASURED_MIN
                    ? LocalRules.FALLBACK.isOverloaded(node)
                    : node.requestedShare() > 1 - safety * LocalRules.deviation(history);
        };
    }

    /** IQR: the wider the middle half of the use, the less may be requested. */
    static OverloadRule quartileRange(double safety) {
        return node -> {
            var history = node.history();
            return history.length < LocalRules.MEASURED_MIN
                    ? LocalRules.FALLBACK.isOverloaded(node)
                    : node.requestedShare() > 1 - safety * LocalRules.quartileRange(history);
        };
    }

    /** The statistics of the rules. */
    final class LocalRules {
        static final int POINTS = 10;
        static final int MEASURED_MIN = 12;
        static final OverloadRule FALLBACK = threshold(0.7);

        private LocalRules() {}

        /** A migration takes less than a period, so one period ahead. */
        static double predicted(double[] latestFirst) {
            double meanX = (POINTS + 1) / 2.0;
            double meanY = 0;
            for (int i = 0; i < POINTS; i++) {
                meanY += latestFirst[i] / POINTS;
            }
            double products = 0;
            double squares = 0;
            for (int x = 1; x <= POINTS; x++) {
                products += (x - meanX) * (latestFirst[POINTS - x] - meanY);
                squares += (x - meanX) * (x - meanX);
            }
            return meanY + products / squares * (POINTS + 1 - meanX);
        }

        static double deviation(double[] values) {
            double median = median(values);
            return median(
                    Arrays.stream(values).map(value -> Math.abs(value - median)).toArray());
        }

        private static double median(double[] values) {
            var sorted = values.clone();
            Arrays.sort(sorted);
            int middle = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }

        static double quartileRange(double[] values) {
            var sorted = values.clone();
            Arrays.sort(sorted);
            int lower = (int) Math.round(0.25 * (sorted.length + 1)) - 1;
            int upper = (int) Math.round(0.75 * (sorted.length + 1)) - 1;
            return sorted[upper] - sorted[lower];
        }
    }
}
