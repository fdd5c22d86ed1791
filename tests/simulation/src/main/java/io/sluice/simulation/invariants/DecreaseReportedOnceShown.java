package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;

/**
 * A runner whose fence stands, and whom the ledger hears, never tells the ledger less than its VM is, is being made, or
 * may still be patched to.
 */
public final class DecreaseReportedOnceShown implements Invariant {
    @Override
    public String name() {
        return "less is told once it shows";
    }

    @Override
    public void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.Asked(var seat, var question)) {
                var vm = seat.vm();
                boolean speaks = vm.runs()
                        && vm.imposed().equals(Resources.NONE)
                        && world.ledger().hears(question)
                        && seat.acting()
                                .filter(state -> vm.isFencedBy(state.fence()))
                                .isPresent();
                if (speaks) {
                    check(vm, question.target(), seat + " in " + seat.acting());
                }
            }
        }
    }

    private void check(ModelVmObject vm, Resources told, String by) {
        if (vm.spec().exceeds(told)
                || vm.working().exceeds(ModelVmObject.wholeCpus(told))
                || vm.status().exceeds(ModelVmObject.wholeCpus(told))) {
            throw broken(vm.name() + " is told of as " + told + ", and is told to be " + vm.spec() + ", is "
                    + vm.status() + " and being made " + vm.working() + ", by " + by);
        }
        for (var flight : vm.flights()) {
            if (flight.lands() && flight.patch().target().exceeds(told)) {
                throw broken(vm.name() + " is told of as " + told + ", and may be patched to "
                        + flight.patch().target());
            }
        }
    }
}
