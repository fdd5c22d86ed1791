package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/** Only the runner that claimed a VM last changes its size; an agent of the reference claims no VM. */
public final class OneWriterPerVm implements Invariant {
    @Override
    public String name() {
        return "one writer per VM";
    }

    @Override
    public void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.PatchApplied(var vm, var flight)
                    && !vm.byReference()
                    && !vm.isClaimedBy(flight.runner())) {
                throw broken(flight.runner() + " made " + vm.name() + " "
                        + flight.patch().target() + " in spite of the fence " + vm.fence());
            }
        }
    }
}
