package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.simulation.engine.Link;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** One agent's process: a runner for each VM of its share. */
public final class AgentPart {
    private final World world;
    private final String name;
    private final Clock clock;
    private final Link toCluster;
    private final Map<VmId, SimulatedRunner> seats = new LinkedHashMap<>();
    private MissingKeyDetector<VmId> rollCall = new MissingKeyDetector<>();
    private Predicate<VmId> share = vm -> false;
    private boolean up = true;
    private int lives;

    AgentPart(World world, String name) {
        this.world = world;
        this.name = name;
        this.clock = world.clock(name);
        this.toCluster = world.bus().link(name + " -> cluster");
    }

    String name() {
        return name;
    }

    World world() {
        return world;
    }

    Clock clock() {
        return clock;
    }

    /** From now on it thinks that these are its own. */
    void share(Predicate<VmId> newShare) {
        share = newShare;
        seats.values().removeIf(seat -> {
            boolean goes = !share.test(seat.vm().id);
            if (goes) {
                seat.abandon();
            }
            return goes;
        });
        wantResync();
    }

    void wantResync() {
        world.bus().tell(toCluster, world.cluster()::listSooner);
    }

    /** The whole process dies, and comes back a little later, knowing nothing. */
    void crash(long backAfter) {
        up = false;
        seats.values().forEach(SimulatedRunner::abandon);
        seats.clear();
        rollCall = new MissingKeyDetector<>();
        world.time().in(backAfter, () -> {
            if (!up) {
                up = true;
                clock.reset();
                wantResync();
            }
        });
    }

    void seen(VmObserved fact) {
        if (!up || !share.test(fact.vm())) {
            return;
        }
        rollCall.named(fact.vm());
        var seat = seats.get(fact.vm());
        if (seat == null) {
            var vm = world.everyVm(fact.vm());
            seat = new SimulatedRunner(this, vm, fact, ++lives);
            seats.put(fact.vm(), seat);
        }
        seat.seen(fact);
    }

    void gone(VmId vm) {
        rollCall.struck(vm);
        var seat = seats.remove(vm);
        if (seat != null) {
            seat.gone();
        }
    }

    void listed() {
        if (up) {
            rollCall.listed().forEach(this::gone);
        }
    }

    void tell(VmId vm, RunnerEvent event) {
        var seat = seats.get(vm);
        if (seat != null) {
            seat.tell(event);
        }
    }

    List<SimulatedRunner> seats() {
        return new ArrayList<>(seats.values());
    }
}
