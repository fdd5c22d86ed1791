package io.sluice.simulation.invariants;

import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.ReservedTotals;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;

/**
 * The promise of the whole: what a VM is told to be, is, or is being made, what a patch under way may make it, and what
 * a runner may still start on its permit, are at most what the books hold for it. What people told it past everybody is
 * left out until a runner's own size has taken its place: the books can only follow that.
 */
public final class LedgerCoversEachVm implements Invariant {
    @Override
    public String name() {
        return "books cover each VM";
    }

    @Override
    public void check(World world) {
        for (var vm : world.touched()) {
            if (vm.runs() && world.booked(vm) instanceof ReservedTotals.At(var booked)) {
                world.settleImposed(vm, booked);
                check(world, vm, booked);
            }
        }
    }

    private void check(World world, ModelVmObject vm, Resources booked) {
        var most = booked.max(vm.imposed()).max(world.lostFromSight(vm));
        if (world.isShown(vm)) {
            require(vm, "is told to use", vm.spec(), most);
            require(vm, "uses", vm.status(), ModelVmObject.wholeCpus(most));
        }
        if (!vm.byReference()) {
            require(vm, "is being made", vm.working(), ModelVmObject.wholeCpus(most));
        }
        for (var flight : vm.flights()) {
            if (flight.lands()) {
                require(vm, "may be patched to", flight.patch().target(), most);
            }
        }
        for (var seat : vm.seats()) {
            require(vm, "has a permit for", seat.mayPatchTo(), most);
        }
    }

    private void require(ModelVmObject vm, String what, Resources amount, Resources booked) {
        if (amount.exceeds(booked)) {
            throw broken(vm.name() + " " + what + " " + amount + ", the books hold " + booked);
        }
    }
}
