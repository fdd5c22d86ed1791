package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/** While one agent sends a storm of requests, the gateway rejects no other agent. */
public final class OthersAreServed implements Invariant {
    @Override
    public String name() {
        return "others are served";
    }

    @Override
    public void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.TurnedAway(var pod, var noisy) && !noisy) {
                throw broken("a request for " + pod + " was rejected, whose agent sends no storm");
            }
        }
    }
}
