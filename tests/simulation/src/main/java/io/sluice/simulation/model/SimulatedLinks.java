package io.sluice.simulation.model;

import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;

/** The links of one runner to all that it talks to. */
final class SimulatedLinks {
    final Link toLedger;
    final Link fromLedger;
    final Link toPatcher;
    final Link fromPatcher;
    final Link toMonitor;
    final Link fromMonitor;
    final Link toGuest;

    SimulatedLinks(World world, String seat) {
        toLedger = world.bus().link(seat + " -> ledger");
        fromLedger = world.bus().link("ledger -> " + seat);
        toPatcher = world.faults().link(seat + " -> patcher", Seconds.of(20));
        fromPatcher = world.bus().link("patcher -> " + seat);
        toMonitor = world.bus().link(seat + " -> monitor");
        fromMonitor = world.bus().link("monitor -> " + seat);
        toGuest = world.bus().link(seat + " -> guest");
    }
}
