package io.sluice.simulation.invariants;

import io.sluice.simulation.model.ReservedTotals;
import io.sluice.simulation.model.World;

/** A VM that runs counts on some node from the first that was told of it, all through its migrations. */
public final class EachVmCounts implements Invariant {
    @Override
    public String name() {
        return "each VM counts";
    }

    @Override
    public void check(World world) {
        for (var vm : world.touched()) {
            if (vm.runs() && world.booked(vm) instanceof ReservedTotals.Nowhere) {
                throw broken(vm.name() + " counts nowhere");
            }
        }
    }
}
