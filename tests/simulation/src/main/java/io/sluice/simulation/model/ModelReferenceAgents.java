package io.sluice.simulation.model;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Faults;

/**
 * Which VMs an agent of the reference scales: in half of the histories half of them. Two things that happen to such
 * agents are left out unless a system property brings them in, as the ledger does not cover them yet.
 */
final class ModelReferenceAgents {
    /**
     * Also where an agent does not name its last permit: a reply that lowers what it believes to be permitted is lost,
     * or rejected as its VM has grown meanwhile, or the request is taken after the agent gave it up. It goes on
     * believing in the permit of before.
     */
    static final boolean LOSE_DECREASES = Boolean.getBoolean("sluice.simulation.reference.loseDecreases");

    /** A patch arrives late, or twice: nothing fences it. */
    static final boolean LATE_PATCHES = Boolean.getBoolean("sluice.simulation.reference.latePatches");

    private final Chance chance;
    private final boolean some;

    ModelReferenceAgents(Faults faults) {
        chance = faults.chance("agents of the reference");
        some = chance.oneIn(2);
    }

    void draw(ModelVmObject vm) {
        if (some && chance.oneIn(2)) {
            vm.byReference = true;
            vm.namesPermit = chance.oneIn(2);
        }
    }
}
