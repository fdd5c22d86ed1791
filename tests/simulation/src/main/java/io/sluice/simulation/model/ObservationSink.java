package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.neonvm.core.observed.Observation;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.agent.AgentPart;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Publishes each observation to each consumer over a link of its own: late, a second time much later, or not at all. A
 * late observation delays those that follow it, as on a bus.
 */
final class ObservationSink {
    private final World world;
    private final Link toLedger;
    private final Link toPressure;
    private final Map<AgentPart, Link> toAgents = new LinkedHashMap<>();

    ObservationSink(World world, Link toLedger) {
        this.world = world;
        this.toLedger = toLedger;
        toPressure = world.faults().link("facts -> pressure", Seconds.of(8)).inOrder();
        world.agents()
                .forEach(agent -> toAgents.put(
                        agent,
                        world.faults()
                                .link("facts -> " + agent.name(), Seconds.of(8))
                                .inOrder()));
    }

    void report(Observation observation) {
        toLedger(observation);
        toPressure(observation).ifPresent(event -> {
            world.bus().report(toPressure, () -> world.pressure().on(event));
        });
        toAgents(observation);
    }

    /** A full list is complete. */
    void listed(Optional<ObservedMigrations> migrations) {
        world.bus().reportOnce(toPressure, () -> world.pressure().on(new PressureEvent.FullListReceived(migrations)));
        toAgents.forEach((agent, link) -> world.bus().reportOnce(link, agent::listed));
    }

    private void toLedger(Observation observation) {
        switch (observation) {
            case Observation.NodeCame(var observed) -> ledger(observed.node(), new LedgerCommand.ObserveNode(observed));
            case Observation.NodeWent(var gone) -> ledger(gone.node(), new LedgerCommand.LoseNode(gone));
            case Observation.PodCame(var observed) -> ledger(observed.node(), new LedgerCommand.ObservePod(observed));
            case Observation.PodWent(var gone) -> ledger(gone.node(), new LedgerCommand.LosePod(gone));
            case Observation.VmCame(var observed) -> ledger(observed.node(), new LedgerCommand.ObserveVm(observed));
            case Observation.PodWaits _,
                    Observation.VmWent _,
                    Observation.MigrationCame _,
                    Observation.MigrationWent _ -> {}
        }
    }

    private void ledger(String node, LedgerCommand<?> command) {
        if (!node.isEmpty()) {
            world.bus().report(toLedger, () -> world.ledger().observe(node, command));
            if (world.journal().listens()) {
                world.report(
                        "cluster publishes " + node + " " + world.words(command) + (toLedger.lost() ? ", lost" : ""));
            }
            if (toLedger.lost() && command instanceof LedgerCommand.ObservePod(var pod)) {
                world.ledger().missed(pod.uid());
            }
        }
    }

    private static Optional<PressureEvent> toPressure(Observation observation) {
        return switch (observation) {
            case Observation.NodeCame _, Observation.NodeWent _, Observation.PodWaits _ -> Optional.empty();
            case Observation.PodCame(var observed) -> Optional.of(new PressureEvent.PodReceived(observed));
            case Observation.PodWent(var gone) -> Optional.of(new PressureEvent.PodMissed(gone));
            case Observation.VmCame(var observed) -> Optional.of(new PressureEvent.VmReceived(observed));
            case Observation.VmWent(var gone) -> Optional.of(new PressureEvent.VmMissed(gone));
            case Observation.MigrationCame(var observed) -> Optional.of(new PressureEvent.MigrationReceived(observed));
            case Observation.MigrationWent(var gone) -> Optional.of(new PressureEvent.MigrationMissed(gone));
        };
    }

    private void toAgents(Observation observation) {
        if (observation instanceof Observation.VmCame(var observed)) {
            toAgents.forEach((agent, link) -> world.bus().report(link, () -> agent.observed(observed)));
        } else if (observation instanceof Observation.VmWent(var gone)) {
            toAgents.forEach((agent, link) -> world.bus().report(link, () -> agent.gone(gone.vm())));
        }
    }
}
