package io.sluice.shell.load;

import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;

/** How well a node suits, by the share of it that would be in use; 0 to 1, higher is better. */
public sealed interface LoadScore {
    /** The score at that share in use; above 1 the node would be overloaded. */
    double at(double share);

    /** The score of a node with that use. The fuller kind counts. */
    default double of(Resources use, Resources total) {
        double share = 0;
        for (var kind : ResourceKind.values()) {
            share = Math.max(share, total.of(kind) == 0 ? Double.MAX_VALUE : (double) use.of(kind) / total.of(kind));
        }
        return at(share);
    }

    /**
     * Fills nodes up to a share and avoids those beyond it, so that others become empty. The score rises in a line from
     * {@code target} at 0 to 1 at the target, and falls in a line from {@code target} just above it to 0 at 1. This is
     * the formula of Trimaran, kube-scheduler's plugin TargetLoadPacking.
     *
     * @param target the share up to which nodes are filled, between 0 and 1
     */
    record Pack(double target) implements LoadScore {
        @Override
        public double at(double share) {
            if (share <= target) {
                return (1 - target) * share / target + target;
            }
            return share > 1 ? 0 : target * (1 - share) / (1 - target);
        }
    }

    /** Prefers the node with the least use. */
    record Spread() implements LoadScore {
        @Override
        public double at(double share) {
            return 1 - Math.min(share, 1);
        }
    }
}
