package io.sluice.simulation.model.agent;

import io.sluice.agent.core.scaling.CoreState;
import io.sluice.messages.vm.PatchVm;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.units.Resources;

/** A patch that a runner has decided on, until no copy of it can be applied any more. */
public final class Flight {
    public final SimulatedRunner sender;
    public final ModelVmObject vm;
    public final PatchVm patch;
    private final String runner;
    private final Resources reach;
    private final Resources granted;
    private final boolean mistaken;
    private int copies;
    private boolean lowered;
    private boolean overtaken;
    private boolean taken;

    Flight(SimulatedRunner sender, ModelVmObject vm, PatchVm patch, long now) {
        this.sender = sender;
        this.vm = vm;
        this.patch = patch;
        this.runner = sender.runnerId();
        this.reach = sender.grants().reach();
        this.granted = sender.grants().at(now);
        this.mistaken = sender.runner()
                .flatMap(it -> it.state().core())
                .map(CoreState::using)
                .filter(size -> size.exceeds(vm.spec()) && !patch.target().exceeds(size))
                .isPresent();
        vm.flights.add(this);
    }

    /** Marks it as received; returns whether this is the first time. The bus delivers a patch once or not at all. */
    boolean taken() {
        boolean first = !taken;
        taken = true;
        return first;
    }

    /** Counts one more copy under way. */
    public void begun() {
        copies++;
    }

    /** Counts a copy that was lost or has arrived. */
    public void ended() {
        if (--copies <= 0) {
            vm.flights.remove(this);
        }
    }

    /** The runner's host that sent it. */
    public SimulatedRunner sender() {
        return sender;
    }

    /** The name of the runner that sent it. */
    public String runner() {
        return runner;
    }

    /** The largest size that its sender could assume of the VM when it decided on the patch. */
    public Resources reach() {
        return reach;
    }

    /** The largest size that its sender's permit allowed when it decided on the patch. */
    public Resources granted() {
        return granted;
    }

    /** The content of the patch. */
    public PatchVm patch() {
        return patch;
    }

    /** Records that its agent has requested less since. */
    void lowered() {
        lowered = true;
    }

    /** Records that the VM was observed since its permit last grew. If less was requested, its room is free. */
    public void shown() {
        overtaken |= lowered;
    }

    /**
     * Whether the ledger has to cover it. It is not where it would not be applied. No fence excludes the patch of an
     * agent of the reference. The ledger cannot cover it if the agent has requested less and the VM was observed since;
     * if the agent took its VM to be larger than it was; if the VM's pod was made anew; or if another client has set a
     * size that the agent does not read.
     */
    public boolean counts() {
        return vm.byReference
                ? patch.podName().equals(vm.podName()) && !overtaken && !mistaken && !vm.setByOthers()
                : lands();
    }

    /** Whether it would be applied if it arrived now. */
    public boolean lands() {
        return vm.byReference || (vm.isPod() ? vm.scaledPod().mayLand(this) : isFenced());
    }

    private boolean isFenced() {
        return patch.fence().equals(vm.fence) && patch.podName().equals(vm.podName());
    }
}
