package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/** A storm of one agent's requests has no other agent turned away. */
public final class OthersAreServed implements Invariant {
    @Override
    public String name() {
        return "others are served";
    }

    @Override
    public void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.TurnedAway(var pod, var noisy) && !noisy) {
                throw broken("a request for " + pod + " was turned away, which makes no more than its share");
            }
        }
    }
}
