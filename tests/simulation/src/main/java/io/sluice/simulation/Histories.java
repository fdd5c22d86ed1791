package io.sluice.simulation;

import java.util.Optional;

/** Plays histories: the same seed and shape give the same history, event by event. */
public final class Histories {
    private Histories() {}

    /** The shape that every build plays. */
    public static HistoryShape standard() {
        return HistoryShape.standard();
    }

    /**
     * Plays one history to its end.
     *
     * @throws BrokenHistory an {@link AssertionError} that names the seed, when an invariant breaks
     */
    public static HistoryReport play(long seed, HistoryShape shape) {
        return new Play(seed, shape).run();
    }

    /** Plays one history; if it breaks, finds the smallest one that breaks the same invariant. */
    public static Optional<Explanation> explain(long seed, HistoryShape shape) {
        return Explanation.of(seed, shape);
    }
}
