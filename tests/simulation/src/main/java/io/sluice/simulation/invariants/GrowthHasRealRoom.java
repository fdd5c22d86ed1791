package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.ReservedTotals;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;

/**
 * No reply raises what a VM may really come to use while all VMs of its node together may come to use more than the
 * node has. What each VM may come to use is computed from the VM, its patches and its runners, not from the ledger.
 * Only so does the check find that the ledger reserves too little. What the VM might use when the request was sent is
 * no rise: the reservation covered it until this reply.
 */
public final class GrowthHasRealRoom implements StepInvariant {
    private final Map<String, Resources> keptSince = new HashMap<>();

    @Override
    public String name() {
        return "growth has real room";
    }

    @Override
    public void check(World world) {
        StepInvariant.super.check(world);
        for (var vm : world.touched()) {
            if (vm.runs() && world.reserved(vm) instanceof ReservedTotals.At(var reserved)) {
                var before = keptSince.getOrDefault(vm.podName(), Resources.NONE);
                keptSince.put(vm.podName(), before.max(vm.mayReallyUse()).min(reserved));
            }
        }
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (!(step.command() instanceof LedgerCommand.RequestPermit(var request, var _))
                || !(step.reply() instanceof PermitReply.Ruled ruled)) {
            return;
        }
        var reservation = step.after().reservations().find(request.pod()).orElseThrow();
        var vm = running(world, reservation);
        if (vm == null || !vm.imposed().equals(Resources.NONE) || !mayUse(vm, request)) {
            return;
        }
        var kept = keptSince.getOrDefault(vm.podName(), Resources.NONE);
        var exposed = vm.mayUse().max(kept).max(mayHaveBeenPermitted(vm, step, request));
        for (var kind : ResourceKind.values()) {
            if (ruled.permit().of(kind) <= exposed.of(kind)) {
                continue;
            }
            long others = others(world, step, reservation, kind);
            long charge = onNode(ruled.permit().of(kind), reservation.amounts().overcommit(), kind);
            long total = step.after().size().total().of(kind);
            if (others + charge > total) {
                throw broken(kind + " of " + vm.described() + " may rise from " + exposed + " by a permit of "
                        + ruled.permit() + ", others may use " + others + " of " + total + ": " + reported(step));
            }
        }
    }

    /** Whether an agent may use the permit: a runner that lost its fence, or that gave the request up, may not. */
    private static boolean mayUse(ModelVmObject vm, PermitRequest request) {
        for (var runner : vm.runners()) {
            boolean own = runner.runnerId().equals(request.runner()) && runner.awaits(request);
            if ((own || runner.awaitsOfGateway(request)) && runner.mayPatch()) {
                return true;
            }
        }
        return false;
    }

    /** The last permit of an agent that does not name it: the reply may have arrived. */
    private static Resources mayHaveBeenPermitted(ModelVmObject vm, Happening.Commanded step, PermitRequest request) {
        boolean silent = vm.byReference() && request.lastPermit().isEmpty();
        return silent
                ? step.before()
                        .reservations()
                        .find(request.pod())
                        .orElseThrow()
                        .amounts()
                        .reported()
                : Resources.NONE;
    }

    /** What all others on the node may really use; a pod that does not run here yet counts at its reservation. */
    private static long others(World world, Happening.Commanded step, Reservation requester, ResourceKind kind) {
        long sum = 0;
        for (var reservation : step.after().reservations()) {
            if (reservation.id().equals(requester.id())) {
                continue;
            }
            var vm = running(world, reservation);
            long amount = vm == null
                    ? reservation.amounts().reserved().of(kind)
                    : vm.mayUse()
                            .min(reservation.amounts().reserved().max(world.isShown(vm) ? vm.spec() : Resources.NONE))
                            .of(kind);
            sum += onNode(amount, reservation.amounts().overcommit(), kind);
        }
        return sum;
    }

    private static ModelVmObject running(World world, Reservation reservation) {
        return reservation.pod().runsVm() ? world.runningIn(reservation.id()).orElse(null) : null;
    }

    private static long onNode(long amount, Overcommit overcommit, ResourceKind kind) {
        return amount * 1_000 / (kind == ResourceKind.CPU ? overcommit.cpuMilli() : overcommit.memoryMilli());
    }
}
