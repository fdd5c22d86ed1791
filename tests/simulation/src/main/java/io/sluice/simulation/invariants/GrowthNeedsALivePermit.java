package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.units.Resources;

/**
 * A patch that raises a VM above what it may have already needs a permit that has not lapsed and that no later report
 * of its runner has lowered; it must be sent before the permit lapses.
 */
public final class GrowthNeedsALivePermit implements Invariant {
    @Override
    public String name() {
        return "growth needs a live permit";
    }

    @Override
    public void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.PatchBegun(var runner, var flight)) {
                var vm = runner.vm();
                var target = flight.patch().target();
                var before = vm.spec()
                        .max(vm.status())
                        .max(vm.working())
                        .max(vm.imposed())
                        .max(flight.reach());
                if (target.exceeds(before)) {
                    check(world, flight, target, before);
                }
            }
        }
    }

    private void check(World world, Flight flight, Resources target, Resources before) {
        if (target.exceeds(before.max(flight.granted()))) {
            throw broken(flight.runner() + " lets its VM grow from " + before + " to " + target + " and may grow it to "
                    + flight.granted() + " at " + world.time().clock());
        }
    }
}
