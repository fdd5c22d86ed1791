package io.sluice.simulation.invariants;

/** An invariant does not hold. */
public final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;
    private final String invariant;

    /** The one of that name, with the numbers that show it. */
    public Broken(String invariant, String sentence) {
        super(invariant + ": " + sentence);
        this.invariant = invariant;
    }

    /** Its name. */
    public String invariant() {
        return invariant;
    }
}
