package io.sluice.simulation.invariants;

import io.sluice.simulation.model.ReservedTotals;
import io.sluice.simulation.model.World;

/** A VM that runs is reserved on some node from its first observation on, and all through its migrations. */
public final class EachVmCounts implements Invariant {
    @Override
    public String name() {
        return "each VM counts";
    }

    @Override
    public void check(World world) {
        for (var vm : world.touched()) {
            if (vm.runs() && world.reserved(vm) instanceof ReservedTotals.Nowhere) {
                throw broken(vm.described() + " is reserved on no node");
            }
        }
    }
}
