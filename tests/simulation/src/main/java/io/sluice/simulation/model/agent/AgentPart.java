package io.sluice.simulation.model.agent;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.model.World;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The process of one agent: a runner for each VM of its assignment. */
public final class AgentPart {
    private final World world;
    private final String name;
    private final Clock clock;
    private final Link toCluster;
    private final Map<VmId, SimulatedRunner> runners = new LinkedHashMap<>();
    private MissingKeyDetector<VmId> rollCall = new MissingKeyDetector<>();
    private Predicate<VmId> share = vm -> false;
    private boolean up = true;
    private int lives;

    public AgentPart(World world, String name) {
        this.world = world;
        this.name = name;
        this.clock = world.clock(name);
        this.toCluster = world.bus().link(name + " -> cluster");
    }

    public String name() {
        return name;
    }

    World world() {
        return world;
    }

    Clock clock() {
        return clock;
    }

    /** Replaces the VMs that are assigned to this agent. */
    public void share(Predicate<VmId> newShare) {
        share = newShare;
        runners.values().removeIf(runner -> {
            boolean goes = !share.test(runner.vm().id);
            if (goes) {
                runner.abandon();
            }
            return goes;
        });
        requestRelist();
    }

    public void requestRelist() {
        world.bus().report(toCluster, world.cluster()::listSooner);
    }

    /** Ends the whole process; after that time it starts again without state. */
    public void crash(long backAfter) {
        up = false;
        runners.values().forEach(SimulatedRunner::abandon);
        runners.clear();
        rollCall = new MissingKeyDetector<>();
        world.time().in(backAfter, () -> {
            if (!up) {
                up = true;
                clock.reset();
                requestRelist();
            }
        });
    }

    public void observed(VmObserved observation) {
        if (!up || !share.test(observation.vm())) {
            return;
        }
        rollCall.named(observation.vm());
        var runner = runners.get(observation.vm());
        if (runner == null) {
            var vm = world.everyVm(observation.vm());
            runner = new SimulatedRunner(this, vm, observation, ++lives);
            runners.put(observation.vm(), runner);
        }
        runner.observed(observation);
    }

    public void gone(VmId vm) {
        rollCall.struck(vm);
        var runner = runners.remove(vm);
        if (runner != null) {
            runner.gone();
        }
    }

    public void listed() {
        if (up) {
            rollCall.listed().forEach(this::gone);
        }
    }

    void report(VmId vm, RunnerEvent event) {
        var runner = runners.get(vm);
        if (runner != null) {
            runner.report(event);
        }
    }

    public List<SimulatedRunner> runners() {
        return new ArrayList<>(runners.values());
    }
}
