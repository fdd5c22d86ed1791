package io.sluice.simulation.invariants;

import io.sluice.simulation.model.World;

/** Something that must hold after every event. Looks only at what the event did, as all else held before. */
public interface Invariant {
    /** Its name in failures and in the README. */
    String name();

    /**
     * Looks at what the last event did.
     *
     * @throws Broken when it does not hold
     */
    void check(World world);

    /** Says that it does not hold. */
    default Broken broken(String sentence) {
        return new Broken(name(), sentence);
    }
}
