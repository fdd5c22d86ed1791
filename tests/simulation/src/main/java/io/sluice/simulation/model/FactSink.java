package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.ListedMigrations;
import io.sluice.neonvm.core.Fact;
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
final class FactSink {
    private final World world;
    private final Link toLedger;
    private final Link toPressure;
    private final Map<AgentPart, Link> toAgents = new LinkedHashMap<>();

    FactSink(World world, Link toLedger) {
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

    void tell(Fact fact) {
        toLedger(fact);
        toPressure(fact).ifPresent(event -> {
            world.bus().tell(toPressure, () -> world.pressure().on(event));
        });
        toAgents(fact);
    }

    /** A full listing went through. */
    void listed(Optional<ListedMigrations> migrations) {
        world.bus().tellOnce(toPressure, () -> world.pressure().on(new PressureEvent.ListingHeard(migrations)));
        toAgents.forEach((agent, link) -> world.bus().tellOnce(link, agent::listed));
    }

    private void toLedger(Fact fact) {
        switch (fact) {
            case Fact.NodeCame(var seen) -> ledger(seen.node(), new LedgerCommand.SeeNode(seen));
            case Fact.NodeWent(var gone) -> ledger(gone.node(), new LedgerCommand.LoseNode(gone));
            case Fact.PodCame(var seen) -> ledger(seen.node(), new LedgerCommand.SeePod(seen));
            case Fact.PodWent(var gone) -> ledger(gone.node(), new LedgerCommand.LosePod(gone));
            case Fact.VmCame(var seen) -> ledger(seen.node(), new LedgerCommand.SeeVm(seen));
            case Fact.VmWent _, Fact.MigrationCame _, Fact.MigrationWent _ -> {}
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

    private static Optional<PressureEvent> toPressure(Fact fact) {
        return switch (fact) {
            case Fact.NodeCame _, Fact.NodeWent _ -> Optional.empty();
            case Fact.PodCame(var seen) -> Optional.of(new PressureEvent.PodHeard(seen));
            case Fact.PodWent(var gone) -> Optional.of(new PressureEvent.PodMissed(gone));
            case Fact.VmCame(var seen) -> Optional.of(new PressureEvent.VmHeard(seen));
            case Fact.VmWent(var gone) -> Optional.of(new PressureEvent.VmMissed(gone));
            case Fact.MigrationCame(var seen) -> Optional.of(new PressureEvent.MigrationHeard(seen));
            case Fact.MigrationWent(var gone) -> Optional.of(new PressureEvent.MigrationMissed(gone));
        };
    }

    private void toAgents(Fact fact) {
        if (fact instanceof Fact.VmCame(var seen)) {
            toAgents.forEach((agent, link) -> world.bus().tell(link, () -> agent.seen(seen)));
        } else if (fact instanceof Fact.VmWent(var gone)) {
            toAgents.forEach((agent, link) -> world.bus().tell(link, () -> agent.gone(gone.vm())));
        }
    }
}
