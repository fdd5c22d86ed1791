package io.sluice.simulation.model;

import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.Optional;

/** Makes the status of each VM equal its spec: it reads the spec, applies it some time later, and checks again. */
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

    /** Reconciles the VM; if that is already under way, reconciles it once more afterwards. */
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
            world.report("controller makes " + vm + " " + World.text(vm.status) + " of " + World.text(spec));
        }
        if (!vm.isAsReported()) {
            world.time().in(vm.status.equals(before) ? LOOK_AGAIN : 1, () -> look(vm));
        }
    }

    /**
     * At times only half of the memory is plugged or unplugged, and a guest that refuses to give memory back keeps it.
     */
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

    /** The pod's annotation follows the VM's size some time later. */
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
