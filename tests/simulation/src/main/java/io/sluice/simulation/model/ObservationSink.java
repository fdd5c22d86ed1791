package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.neonvm.core.Observation;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells each listener of each fact, over a link of its own: late, a second time much later, or not at all. What is late
 * holds up what follows it, as a bus does.
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

    void tell(Observation fact) {
        toLedger(fact);
        toPressure(fact).ifPresent(event -> {
            world.bus().tell(toPressure, () -> world.pressure().on(event));
        });
        toAgents(fact);
    }

    /** A full listing went through. */
    void listed(Optional<ObservedMigrations> migrations) {
        world.bus().tellOnce(toPressure, () -> world.pressure().on(new PressureEvent.FullListReceived(migrations)));
        toAgents.forEach((agent, link) -> world.bus().tellOnce(link, agent::listed));
    }

    private void toLedger(Observation fact) {
        switch (fact) {
            case Observation.NodeCame(var seen) -> ledger(seen.node(), new LedgerCommand.SeeNode(seen));
            case Observation.NodeWent(var gone) -> ledger(gone.node(), new LedgerCommand.LoseNode(gone));
            case Observation.PodCame(var seen) -> ledger(seen.node(), new LedgerCommand.SeePod(seen));
            case Observation.PodWent(var gone) -> ledger(gone.node(), new LedgerCommand.LosePod(gone));
            case Observation.VmCame(var seen) -> ledger(seen.node(), new LedgerCommand.SeeVm(seen));
            case Observation.VmWent _, Observation.MigrationCame _, Observation.MigrationWent _ -> {}
        }
    }

    private void ledger(String node, LedgerCommand<?> command) {
        if (!node.isEmpty()) {
            world.bus().tell(toLedger, () -> world.ledger().observe(node, command));
            if (world.journal().listens()) {
                world.say("cluster tells " + node + " " + world.words(command) + (toLedger.lost() ? ", lost" : ""));
            }
            if (toLedger.lost() && command instanceof LedgerCommand.SeePod(var pod)) {
                world.ledger().missed(pod.uid());
            }
        }
    }

    private static Optional<PressureEvent> toPressure(Observation fact) {
        return switch (fact) {
            case Observation.NodeCame _, Observation.NodeWent _ -> Optional.empty();
            case Observation.PodCame(var seen) -> Optional.of(new PressureEvent.PodReceived(seen));
            case Observation.PodWent(var gone) -> Optional.of(new PressureEvent.PodMissed(gone));
            case Observation.VmCame(var seen) -> Optional.of(new PressureEvent.VmReceived(seen));
            case Observation.VmWent(var gone) -> Optional.of(new PressureEvent.VmMissed(gone));
            case Observation.MigrationCame(var seen) -> Optional.of(new PressureEvent.MigrationReceived(seen));
            case Observation.MigrationWent(var gone) -> Optional.of(new PressureEvent.MigrationMissed(gone));
        };
    }

    private void toAgents(Observation fact) {
        if (fact instanceof Observation.VmCame(var seen)) {
            toAgents.forEach((agent, link) -> world.bus().tell(link, () -> agent.seen(seen)));
        } else if (fact instanceof Observation.VmWent(var gone)) {
            toAgents.forEach((agent, link) -> world.bus().tell(link, () -> agent.gone(gone.vm())));
        }
    }
}
