package io.sluice.simulation.model;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.Optional;

/** Makes the status of each VM what its spec says: it reads, acts on that some time later, and looks again. */
final class Controller {
    private static final long LAG = Seconds.of(6);
    private static final long QUICK = Seconds.ofMillis(800);
    private static final long LOOK_AGAIN = Seconds.of(2);

    private final World world;
    private final Chance chance;

    Controller(World world) {
        this.world = world;
        this.chance = world.faults().chance("controller");
    }

    /** The VM is to be looked at; while it is being looked at already, that look ends with another. */
    void look(ModelVmObject vm) {
        if (!vm.working.equals(Resources.NONE) || !vm.there) {
            return;
        }
        var spec = vm.spec;
        var target = vm.target;
        vm.working = spec;
        boolean slow = chance.oneIn(3) && world.faults().happens(chance, chance.drawn(), "slow");
        int life = vm.lives;
        world.time().in(1 + chance.below(slow ? LAG : QUICK), () -> {
            if (life == vm.lives) {
                act(vm, spec, target);
            }
        });
    }

    private void act(ModelVmObject vm, Resources spec, Revision target) {
        vm.working = Resources.NONE;
        if (!vm.runs()) {
            return;
        }
        if (vm.locked()) {
            world.time().in(LOOK_AGAIN, () -> look(vm));
            return;
        }
        var before = vm.status;
        vm.status = reached(vm, spec);
        if (vm.status.equals(vm.plugged(spec))) {
            vm.current = Optional.of(target);
        }
        world.api().write(vm);
        mirror(vm);
        if (world.journal().listens()) {
            world.say("controller makes " + vm + " " + World.text(vm.status) + " of " + World.text(spec));
        }
        if (!vm.isAsTold()) {
            world.time().in(vm.status.equals(before) ? LOOK_AGAIN : 1, () -> look(vm));
        }
    }

    /** Memory comes and goes by halves at times, and a guest that holds on to its memory keeps it. */
    private Resources reached(ModelVmObject vm, Resources spec) {
        var goal = vm.plugged(spec);
        long memory = goal.memoryBytes();
        if (vm.stubborn && memory < vm.status.memoryBytes()) {
            memory = vm.status.memoryBytes();
        } else if (chance.oneIn(3) && world.faults().happens(chance, chance.drawn(), "half")) {
            memory = (vm.status.memoryBytes() + memory) / 2 / ModelVmObject.SLOT * ModelVmObject.SLOT;
        }
        return new Resources(goal.milliCpu(), memory);
    }

    /** The pod's own annotation follows the VM, some time later. */
    private void mirror(ModelVmObject vm) {
        var pod = vm.pod.orElseThrow();
        world.time().in(1 + chance.below(QUICK), () -> {
            if (pod.there && !pod.amounts.equals(vm.status)) {
                pod.amounts = vm.status;
                world.api().write(pod);
            }
        });
    }
}
