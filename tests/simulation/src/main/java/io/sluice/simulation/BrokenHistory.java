package io.sluice.simulation;

import java.util.Objects;

/** A history in which an invariant broke, or that did not come to rest. */
public final class BrokenHistory extends AssertionError {
    private static final long serialVersionUID = 1L;
    private final long seed;
    private final String invariant;

    BrokenHistory(long seed, String invariant, String sentence, Throwable cause) {
        super("seed " + seed + ": " + sentence, cause);
        this.seed = seed;
        this.invariant = Objects.requireNonNull(invariant, "invariant");
    }

    /** The seed of the history. */
    public long seed() {
        return seed;
    }

    /** The name of the broken invariant. */
    public String invariant() {
        return invariant;
    }
}
