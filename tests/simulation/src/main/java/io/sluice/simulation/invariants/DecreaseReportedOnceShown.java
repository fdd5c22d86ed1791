package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;

/**
 * A runner never reports less than its VM is set to, has, is being changed to, or may still be patched to. This is
 * checked while the runner's fence is the current one and the ledger accepts its requests. A size that a permit of lost
 * state allowed above a maximum that was lowered since is left out.
 */
public final class DecreaseReportedOnceShown implements Invariant {
    @Override
    public String name() {
        return "decrease reported once shown";
    }

    @Override
    public void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.Requested(var runner, var request)) {
                var vm = runner.vm();
                boolean speaks = vm.runs()
                        && vm.imposed().equals(Resources.NONE)
                        && world.ledger().receives(request)
                        && runner.acting()
                                .filter(state -> vm.isFencedBy(state.fence()))
                                .isPresent();
                if (speaks) {
                    check(vm, request.target().max(world.lostFromView(vm)), runner + " in " + runner.acting());
                }
            }
        }
    }

    private void check(ModelVmObject vm, Resources reported, String by) {
        if (vm.spec().exceeds(reported)
                || vm.working().exceeds(vm.asPlugged(reported))
                || vm.status().exceeds(vm.asPlugged(reported))) {
            throw broken(vm.described() + " is reported as " + reported + ", and is set to " + vm.spec() + ", has "
                    + vm.status() + " and is being changed to " + vm.working() + ", by " + by);
        }
        for (var flight : vm.flights()) {
            if (flight.counts() && flight.patch().target().exceeds(reported)) {
                throw broken(vm.described() + " is reported as " + reported + ", and may be patched to "
                        + flight.patch().target());
            }
        }
    }
}
