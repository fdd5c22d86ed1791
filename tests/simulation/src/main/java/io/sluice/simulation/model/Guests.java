package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;

/** The monitors inside the VMs and the sessions with them: they refuse at times, cry, and break off. */
final class Guests {
    private static final long AWAY = Seconds.of(6);
    private static final int VETO_ONE_IN = 5;

    private final World world;
    private final Chance chance;
    private final Link toAgents;

    Guests(World world) {
        this.world = world;
        this.chance = world.faults().chance("guests");
        this.toAgents = world.bus().link("monitor -> agents");
    }

    MonitorState state(ModelVmObject vm) {
        return new MonitorState(vm.id, vm.guestGeneration, vm.guestConnected, vm.guestConnected ? "" : "gone");
    }

    ResizeReply told(ModelVmObject vm, ResizeGuest question) {
        return hears(vm, question) ? new ResizeReply.Accepted("") : new ResizeReply.Failed("another session");
    }

    ResizeReply asked(ModelVmObject vm, ResizeGuest question) {
        if (!hears(vm, question)) {
            return new ResizeReply.Failed("another session");
        }
        boolean vetoes =
                vm.stubborn || chance.oneIn(VETO_ONE_IN) && world.faults().happens(chance, chance.drawn(), "veto");
        return vetoes ? new ResizeReply.Denied("no") : new ResizeReply.Accepted("yes");
    }

    private static boolean hears(ModelVmObject vm, ResizeGuest question) {
        return vm.runs() && vm.guestConnected && vm.guestGeneration == question.generation();
    }

    /** The session breaks off, and another follows. */
    void drop(ModelVmObject vm) {
        if (vm.guestConnected) {
            vm.guestConnected = false;
            tell(vm);
            world.time().in(chance.below(AWAY), () -> {
                vm.guestConnected = true;
                vm.guestGeneration++;
                tell(vm);
            });
        }
    }

    void cry(ModelVmObject vm) {
        var cry = new UpscaleRequest(vm.id, vm.guestGeneration);
        world.agents()
                .forEach(agent ->
                        world.bus().tell(toAgents, () -> agent.tell(vm.id, new RunnerEvent.UpscaleRequested(cry))));
    }

    private void tell(ModelVmObject vm) {
        var state = state(vm);
        world.agents()
                .forEach(agent ->
                        world.bus().tell(toAgents, () -> agent.tell(vm.id, new RunnerEvent.MonitorChanged(state))));
    }
}
