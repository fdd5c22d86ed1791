package io.sluice.simulation.invariants;

/** An invariant does not hold. */
public final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;
    private final String invariant;

    /** Names the invariant, with the numbers that show the break. */
    public Broken(String invariant, String sentence) {
        super(invariant + ": " + sentence);
        this.invariant = invariant;
    }

    /** The name of the invariant. */
    public String invariant() {
        return invariant;
    }
}
