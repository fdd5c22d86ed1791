package io.sluice.simulation.invariants;

import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.ReservedTotals;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;

/**
 * The main invariant. A reservation covers the size that its VM is set to, has, and is being changed to, what a patch
 * under way may apply, and what a runner may still start by its permit. A size that another client set is left out
 * until a runner's own size has replaced it: the ledger can only follow that.
 */
public final class LedgerCoversEachVm implements Invariant {
    @Override
    public String name() {
        return "ledger covers each VM";
    }

    @Override
    public void check(World world) {
        for (var vm : world.touched()) {
            if (vm.runs() && world.reserved(vm) instanceof ReservedTotals.At(var reserved)) {
                world.settleImposed(vm, reserved);
                check(world, vm, reserved);
            }
        }
    }

    private void check(World world, ModelVmObject vm, Resources reserved) {
        var most = reserved.max(vm.imposed()).max(world.lostFromView(vm));
        if (world.isShown(vm)) {
            require(vm, "is set to", vm.spec(), most);
            require(vm, "uses", vm.status(), vm.asPlugged(most));
        }
        if (!vm.byReference()) {
            require(vm, "is being changed to", vm.working(), vm.asPlugged(most));
        }
        var known = world.isShown(vm) ? most : most.max(vm.spec());
        for (var flight : vm.flights()) {
            if (flight.counts()) {
                require(vm, "may be patched to", flight.patch().target(), known);
            }
        }
        for (var runner : vm.runners()) {
            require(vm, "has a permit for", runner.mayPatchTo(), most);
        }
    }

    private void require(ModelVmObject vm, String what, Resources amount, Resources reserved) {
        if (amount.exceeds(reserved)) {
            throw broken(vm.described() + " " + what + " " + amount + ", the ledger reserves " + reserved);
        }
    }
}
