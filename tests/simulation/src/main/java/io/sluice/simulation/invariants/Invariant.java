package io.sluice.simulation.invariants;

import io.sluice.simulation.model.World;

/** A condition that must hold after every event. It checks only what the event did, as all else held before. */
public interface Invariant {
    /** Its name in failures and in {@code docs/simulation.md}. */
    String name();

    /**
     * Checks what the last event did.
     *
     * @throws Broken when the condition does not hold
     */
    void check(World world);

    /** A failure of this invariant. */
    default Broken broken(String sentence) {
        return new Broken(name(), sentence);
    }

    /** An invariant does not hold. */
    final class Broken extends AssertionError {
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
}
