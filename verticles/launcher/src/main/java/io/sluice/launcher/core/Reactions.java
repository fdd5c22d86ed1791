package io.sluice.launcher.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The reactions of scale-ups; only the first ones are kept, up to a limit that no demo reaches. */
final class Reactions {
    private static final int KEPT_MAX = 100_000;
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Duration> kept = new ArrayList<>();

    void add(Duration reaction) {
        if (kept.size() < KEPT_MAX) {
            kept.add(reaction);
        }
    }

    /** The reaction that this share of all does not exceed, in milliseconds; 0 without any. */
    double percentileMs(double share) {
        if (kept.isEmpty()) {
            return 0;
        }
        var sorted = kept.stream().sorted().toList();
        int rank = (int) Math.ceil(share * sorted.size());
        return sorted.get(Math.max(0, rank - 1)).toNanos() / NANOS_PER_MILLI;
    }
}
