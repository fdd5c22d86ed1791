package io.sluice.simulation.model.agent;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.ModelVmObject;
import io.sluice.simulation.model.World;

/**
 * The monitors in the VMs and their monitor sessions: at times they deny a downscale, send an upscale request, or
 * disconnect.
 */
public final class Guests {
    private static final long LOAD_CHANGES = Seconds.of(25);
    private static final long AWAY = Seconds.of(6);
    private static final int DENIAL_ONE_IN = 5;

    private final World world;
    private final Chance chance;
    private final Link toAgents;

    public Guests(World world) {
        this.world = world;
        this.chance = world.faults().chance("guests");
        this.toAgents = world.bus().link("monitor -> agents");
    }

    /** Draws what goes on inside a VM, now and then as long as it exists. */
    public void load(ModelVmObject vm) {
        load(vm, world.faults().chance("load of " + vm.id.uid()));
    }

    private void load(ModelVmObject vm, Chance own) {
        vm.load1 = own.share() * 3.2;
        vm.memoryUsed = (0.3 + own.share() * 8) * ModelVmObject.SLOT;
        world.time().in(Seconds.of(3) + own.below(LOAD_CHANGES), () -> {
            if (!world.faults().ceased() && vm.isThere()) {
                load(vm, own);
            }
        });
    }

    MonitorState state(ModelVmObject vm) {
        return new MonitorState(vm.id, vm.guestGeneration, vm.guestConnected, vm.guestConnected ? "" : "gone");
    }

    ResizeReply reported(ModelVmObject vm, ResizeGuest request) {
        return receives(vm, request) ? new ResizeReply.Accepted("") : new ResizeReply.Failed("another session");
    }

    public ResizeReply requested(ModelVmObject vm, ResizeGuest request) {
        if (!receives(vm, request)) {
            return new ResizeReply.Failed("another session");
        }
        boolean denials =
                vm.stubborn || chance.oneIn(DENIAL_ONE_IN) && world.faults().happens(chance, chance.drawn(), "veto");
        return denials ? new ResizeReply.Denied("no") : new ResizeReply.Accepted("yes");
    }

    private static boolean receives(ModelVmObject vm, ResizeGuest request) {
        return vm.runs() && vm.guestConnected && vm.guestGeneration == request.generation();
    }

    /** Ends the monitor session; a new one follows. */
    public void drop(ModelVmObject vm) {
        if (vm.guestConnected) {
            vm.guestConnected = false;
            report(vm);
            world.time().in(chance.below(AWAY), () -> {
                vm.guestConnected = true;
                vm.guestGeneration++;
                report(vm);
            });
        }
    }

    public void upscaleRequest(ModelVmObject vm) {
        var upscaleRequest = new UpscaleRequest(vm.id, vm.guestGeneration);
        world.agents()
                .forEach(agent -> world.bus()
                        .report(toAgents, () -> agent.report(vm.id, new RunnerEvent.UpscaleRequested(upscaleRequest))));
    }

    private void report(ModelVmObject vm) {
        var state = state(vm);
        world.agents()
                .forEach(agent ->
                        world.bus().report(toAgents, () -> agent.report(vm.id, new RunnerEvent.MonitorChanged(state))));
    }
}
