package io.sluice.simulation.model.agent;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Faults;
import io.sluice.simulation.model.ModelVmObject;

/**
 * Which VMs an agent of the reference scales: in half of the histories half of them, or all. Two faults of such agents
 * are left out unless a system property enables them, as the ledger does not cover them yet.
 */
public final class ModelReferenceAgents {
    /**
     * Enables a fault of an agent that does not name its last permit. A reply that lowers its permit is lost, or
     * rejected as its VM has grown meanwhile, or the request is accepted after the agent gave it up. The agent then
     * keeps its earlier permit.
     */
    static final boolean LOSE_DECREASES = Boolean.getBoolean("sluice.simulation.reference.loseDecreases");

    /** Enables patches that arrive late or twice: no fence stops them. */
    static final boolean LATE_PATCHES = Boolean.getBoolean("sluice.simulation.reference.latePatches");

    private final Chance chance;
    private final boolean all;
    private final boolean some;

    /** @param all whether such an agent scales each VM of this history */
    public ModelReferenceAgents(Faults faults, boolean all) {
        this.all = all;
        chance = faults.chance("agents of the reference");
        some = chance.oneIn(2);
    }

    public void draw(ModelVmObject vm) {
        if (all || some && chance.oneIn(2)) {
            vm.byReference = true;
            vm.namesPermit = chance.oneIn(2);
        }
    }
}
