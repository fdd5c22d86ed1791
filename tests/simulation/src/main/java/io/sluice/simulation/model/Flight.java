package io.sluice.simulation.model;

import io.sluice.messages.vm.PatchVm;
import io.sluice.units.Resources;

/** A patch that a runner has decided on, for as long as any copy of it may still be applied. */
public final class Flight {
    final SimulatedRunner sender;
    final ModelVmObject vm;
    final PatchVm patch;
    private final String runner;
    private final Resources reach;
    private final Resources granted;
    private int copies;
    private boolean taken;

    Flight(SimulatedRunner sender, ModelVmObject vm, PatchVm patch, long now) {
        this.sender = sender;
        this.vm = vm;
        this.patch = patch;
        this.runner = sender.runnerId();
        this.reach = sender.grants().reach();
        this.granted = sender.grants().at(now);
        vm.flights.add(this);
    }

    /** Whether this is the first time that it is heard: a bus hands a patch over once, or not at all. */
    boolean taken() {
        boolean first = !taken;
        taken = true;
        return first;
    }

    /** One more copy is on its way. */
    void begun() {
        copies++;
    }

    /** A copy was lost, or came to its end. */
    void ended() {
        if (--copies <= 0) {
            vm.flights.remove(this);
        }
    }

    /** Who sent it. */
    public SimulatedRunner sender() {
        return sender;
    }

    /** The name of the runner that sent it. */
    public String runner() {
        return runner;
    }

    /** The most that its sender had reason to think the VM to be when it was decided on. */
    public Resources reach() {
        return reach;
    }

    /** What its sender might grow the VM to when it was decided on. */
    public Resources granted() {
        return granted;
    }

    /** What it says. */
    public PatchVm patch() {
        return patch;
    }

    /** Whether it would be applied if it arrived now. */
    public boolean lands() {
        return vm.byReference
                || patch.fence().equals(vm.fence) && patch.podName().equals(vm.podName());
    }
}
