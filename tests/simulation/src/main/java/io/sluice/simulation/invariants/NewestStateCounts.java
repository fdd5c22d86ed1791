package io.sluice.simulation.invariants;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import java.util.HashMap;
import java.util.Map;

/** A command runs on the state that the last one led to, or on none, whichever process runs it. */
public final class NewestStateCounts implements StepInvariant {
    private final Map<String, NodeState> newest = new HashMap<>();

    @Override
    public String name() {
        return "the newest state counts";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        var last = newest.put(step.node(), step.after());
        if (last != null && last != step.before() && !step.before().isBlank()) {
            throw broken("state from before the last reply was used: " + reported(step));
        }
    }
}
