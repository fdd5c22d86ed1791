package io.sluice.simulation.model;

import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import java.util.List;
import java.util.Optional;

/**
 * Carries migrations out: locks the VM, creates a target pod on some node, copies, and at times fails at any of these.
 */
final class Movers {
    private static final long STAGE = Seconds.of(4);
    private static final long HANGS = Seconds.of(40);
    private static final long LOCKED_AGAIN = Seconds.ofMillis(500);
    private static final long TIDIED = Seconds.of(6);

    private final World world;
    private final Chance chance;

    Movers(World world) {
        this.world = world;
        this.chance = world.faults().chance("movers");
    }

    MigrateReply create(MigrateVm request) {
        var vm = world.api().vm(request.vm().name()).filter(it -> it.id.equals(request.vm()));
        if (vm.isEmpty() || !vm.get().runs() || !vm.get().podName().equals(request.podName())) {
            return new MigrateReply.Refused("the VM is not there");
        }
        var existing = world.api().move(request.migration());
        if (existing.isPresent()) {
            var move = existing.get();
            boolean same = move.attempt.equals(request.attempt());
            return same && move.vm == vm.get() && move.live() && !move.deleting
                    ? new MigrateReply.Begun(move.uid, move.version)
                    : new MigrateReply.Refused("an earlier one is not gone yet");
        }
        var begun = begin(vm.get(), request.migration(), request.roomOn(), request.attempt());
        return new MigrateReply.Begun(begun.uid, begun.version);
    }

    /** A user migrates a VM. */
    void byOperator(ModelVmObject vm) {
        begin(vm, "people-" + world.api().fresh(), "", "");
    }

    private MoveObject begin(ModelVmObject vm, String name, String roomOn, String attempt) {
        var move = new MoveObject(
                "uid-of-" + name + "-" + world.api().fresh(), name, vm, roomOn, attempt, world.seconds());
        world.api().write(move);
        world.time().in(1 + chance.below(STAGE), () -> lock(move));
        return move;
    }

    /** Deletes a migration: undoes what it has done and removes the object. */
    void delete(MoveObject move) {
        if (!move.there || move.deleting) {
            return;
        }
        move.deleting = true;
        world.api().write(move);
        world.time().in(1 + chance.below(STAGE), () -> {
            if (move.live()) {
                undo(move);
            }
            world.api().delete(move);
        });
    }

    private boolean goesOn(MoveObject move) {
        if (!move.live() || move.deleting) {
            return false;
        }
        boolean stands = move.vm.runs() && move.vm.pod.get() == move.source;
        if (!stands) {
            fail(move);
        }
        return stands;
    }

    /** Locks a VM that is neither being scaled nor being migrated. */
    private void lock(MoveObject move) {
        if (!goesOn(move)) {
            return;
        }
        if (move.phase == MigrationPhase.NEW) {
            move.phase = MigrationPhase.PENDING;
            world.api().write(move);
        }
        if (!move.vm.isAsReported() || move.vm.locked()) {
            world.time().in(LOCKED_AGAIN, () -> lock(move));
            return;
        }
        move.vm.lockedBy = Optional.of(move);
        become(move.vm, VmPhase.PRE_MIGRATING);
        next(() -> makeTarget(move));
    }

    private void next(Runnable stage) {
        boolean slow = chance.oneIn(6) && world.faults().happens(chance, chance.drawn(), "hangs");
        world.time().in(1 + chance.below(slow ? HANGS : STAGE), stage);
    }

    private void become(ModelVmObject vm, VmPhase phase) {
        vm.phase = phase;
        world.api().write(vm);
    }

    private boolean fails(MoveObject move, String what) {
        boolean fails = chance.oneIn(8) && world.faults().happens(chance, chance.drawn(), what);
        if (fails) {
            fail(move);
        }
        return fails;
    }

    private void makeTarget(MoveObject move) {
        if (!goesOn(move) || fails(move, "no target")) {
            return;
        }
        var node = destination(move);
        var pod = new PodObject(
                move.vm.id.name() + "-" + world.api().fresh(),
                node,
                Optional.of(move.vm),
                move.vm.inUse(),
                move.name,
                world.seconds());
        move.target = Optional.of(pod);
        world.api().write(pod);
        world.api().write(move);
        if (world.journal().listens()) {
            world.report(move.name + " has its target " + pod.name + " on " + node);
        }
        next(() -> copy(move));
    }

    private String destination(MoveObject move) {
        boolean elsewhere = chance.oneIn(5) && world.faults().happens(chance, chance.drawn(), "lands elsewhere");
        if (!move.roomOn.isEmpty()
                && !elsewhere
                && world.api().node(move.roomOn).isPresent()) {
            return move.roomOn;
        }
        List<String> others = world.api().nodes().stream()
                .map(node -> node.name)
                .filter(name -> !name.equals(move.source.node))
                .toList();
        return others.isEmpty() ? move.source.node : others.get(chance.below(others.size()));
    }

    private void copy(MoveObject move) {
        if (!goesOn(move) || fails(move, "target dies")) {
            return;
        }
        move.phase = MigrationPhase.RUNNING;
        world.api().write(move);
        become(move.vm, VmPhase.MIGRATING);
        next(() -> end(move));
    }

    private void end(MoveObject move) {
        if (!goesOn(move) || fails(move, "copy fails")) {
            return;
        }
        var target = move.target.orElseThrow();
        move.vm.pod = move.target;
        move.vm.cameFrom = Optional.of(move.source.uid);
        move.vm.unheldFrom = Optional.of(move.source.node).filter(node -> move.roomOn.isEmpty());
        move.vm.lockedBy = Optional.empty();
        become(move.vm, VmPhase.RUNNING);
        move.phase = MigrationPhase.SUCCEEDED;
        world.api().write(move);
        world.tally().moved();
        if (world.journal().listens()) {
            world.report(move.name + ": " + move.vm + " runs in " + target.name + " on " + target.node + " now");
        }
        world.time().in(1 + chance.below(STAGE), () -> world.api().delete(move.source));
        world.time().in(1 + chance.below(STAGE), () -> {
            target.migration = "";
            world.api().write(target);
        });
        world.controller().look(move.vm);
        tidy(move);
    }

    private void fail(MoveObject move) {
        undo(move);
        move.phase = MigrationPhase.FAILED;
        world.api().write(move);
        tidy(move);
    }

    private void undo(MoveObject move) {
        if (world.journal().listens()) {
            world.report(move.name + " is undone");
        }
        if (move.vm.there && move.vm.lockedBy.filter(by -> by == move).isPresent()) {
            move.vm.lockedBy = Optional.empty();
            become(move.vm, VmPhase.RUNNING);
            world.controller().look(move.vm);
        }
        move.target.ifPresent(pod ->
                world.time().in(1 + chance.below(STAGE), () -> world.api().delete(pod)));
    }

    /** A user deletes the migrations that users created. */
    private void tidy(MoveObject move) {
        if (!move.ours) {
            world.time().in(TIDIED, () -> delete(move));
        }
    }
}
