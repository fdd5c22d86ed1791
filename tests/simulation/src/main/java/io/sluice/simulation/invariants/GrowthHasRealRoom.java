package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.Reservation;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;

/**
 * No reply raises what a VM may truly come to use while all that runs on its node, with it, may truly come to use more
 * than the node has. What each VM may come to use is taken from the VM, its patches and its runners, not from the
 * ledger: only so does it show where the ledger believes too little.
 */
public final class GrowthHasRealRoom implements StepInvariant {
    private static final long WHOLE = 1_000;

    @Override
    public String name() {
        return "growth has real room";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (!(step.command() instanceof LedgerCommand.RequestPermit(var question, var _))
                || !(step.reply() instanceof PermitReply.Ruled ruled)) {
            return;
        }
        var asker = step.after().members().find(question.member()).orElseThrow();
        var vm = running(world, asker);
        if (vm == null || !vm.imposed().equals(Resources.NONE) || !mayUse(vm, question)) {
            return;
        }
        var exposed = exposure(vm).max(mayHaveBeenTold(vm, step, question));
        for (var kind : ResourceKind.values()) {
            if (ruled.permit().of(kind) <= exposed.of(kind)) {
                continue;
            }
            long others = others(world, step, asker, kind);
            long charge = onNode(ruled.permit().of(kind), asker.amounts().overcommit(), kind);
            long total = step.after().size().total().of(kind);
            if (others + charge > total) {
                throw broken(kind + " of " + vm + " may rise from " + exposed + " by a permit of " + ruled.permit()
                        + ", others may use " + others + " of " + total + ": " + told(step));
            }
        }
    }

    /** A runner that lost its fence, or that gave the request up, can put no permit of it to use. */
    private static boolean mayUse(ModelVmObject vm, PermitRequest question) {
        for (var seat : vm.seats()) {
            boolean own = seat.runnerId().equals(question.runner()) && seat.awaits(question);
            if ((own || seat.awaitsOfGateway(question)) && seat.mayPatch()) {
                return true;
            }
        }
        return false;
    }

    /** The last reply to an agent that names no last permit may have arrived: it is permitted that much. */
    private static Resources mayHaveBeenTold(ModelVmObject vm, Happening.Commanded step, PermitRequest question) {
        boolean silent = vm.byReference() && question.lastPermit().isEmpty();
        return silent
                ? step.before()
                        .members()
                        .find(question.member())
                        .orElseThrow()
                        .amounts()
                        .told()
                : Resources.NONE;
    }

    /** What all others here may truly use; what is reserved for one that does not run here yet is promised to it. */
    private static long others(World world, Happening.Commanded step, Reservation asker, ResourceKind kind) {
        long sum = 0;
        for (var member : step.after().members()) {
            if (member.id().equals(asker.id())) {
                continue;
            }
            var vm = running(world, member);
            long amount = vm == null
                    ? member.amounts().reserved().of(kind)
                    : exposure(vm)
                            .min(member.amounts().reserved().max(world.isShown(vm) ? vm.spec() : Resources.NONE))
                            .of(kind);
            sum += onNode(amount, member.amounts().overcommit(), kind);
        }
        return sum;
    }

    private static ModelVmObject running(World world, Reservation member) {
        return member.who().runsVm() ? world.runningIn(member.id()).orElse(null) : null;
    }

    /** A CPU that is plugged whole counts at the least that it may stand for. */
    private static Resources exposure(ModelVmObject vm) {
        if (!vm.imposed().equals(Resources.NONE)) {
            return Resources.NONE;
        }
        var most = vm.spec().max(least(vm.status())).max(least(vm.working()));
        for (var flight : vm.flights()) {
            if (flight.lands()) {
                most = most.max(flight.patch().target());
            }
        }
        for (var seat : vm.seats()) {
            most = most.max(seat.mayPatchTo());
        }
        return most;
    }

    private static Resources least(Resources plugged) {
        return new Resources(Math.max(0, plugged.milliCpu() - WHOLE + 1), plugged.memoryBytes());
    }

    private static long onNode(long amount, Overcommit overcommit, ResourceKind kind) {
        return amount * 1_000 / (kind == ResourceKind.CPU ? overcommit.cpuMilli() : overcommit.memoryMilli());
    }
}
