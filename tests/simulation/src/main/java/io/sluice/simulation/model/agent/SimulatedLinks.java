package io.sluice.simulation.model.agent;

import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.World;

/** The links between one runner and the other parts. */
final class SimulatedLinks {
    final Link toLedger;
    final Link fromLedger;
    final Link toPatcher;
    final Link fromPatcher;
    final Link toMonitor;
    final Link fromMonitor;
    final Link toGuest;

    SimulatedLinks(World world, String runner) {
        toLedger = world.bus().link(runner + " -> ledger");
        fromLedger = world.bus().link("ledger -> " + runner);
        toPatcher = world.faults().link(runner + " -> patcher", Seconds.of(20));
        fromPatcher = world.bus().link("patcher -> " + runner);
        toMonitor = world.bus().link(runner + " -> monitor");
        fromMonitor = world.bus().link("monitor -> " + runner);
        toGuest = world.bus().link(runner + " -> guest");
    }
}
