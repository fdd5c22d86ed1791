package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.pressure.core.PressureView;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.migrations.MigrationReply;
import io.sluice.pressure.core.migrations.MigrationRequest;
import io.sluice.pressure.core.migrations.PressureAction;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import java.time.Duration;
import java.util.function.Function;

/** The role that moves VMs away from full nodes: the real core, and what its verticle does for it. */
public final class PressurePart {
    private static final long TICK = Seconds.ofMillis(1_000);
    private static final long LEDGER_TIMEOUT = Seconds.of(1);

    /** Copies of what was asked of the ledger come as late as that. */
    private static final long LATEST = Seconds.of(20);

    private static final long SNAPSHOT_TIMEOUT = Seconds.of(2);
    private static final long DRIVER_TIMEOUT = Seconds.of(12);

    private final World world;
    private final Clock clock;
    private final Link toLedger;
    private final Link fromLedger;
    private final Link toPatcher;
    private final Link fromPatcher;
    private final Link toCluster;
    private PressureRules rules;
    private Pressure core;
    private int life;
    private long crashedAt = Long.MIN_VALUE / 2;

    PressurePart(World world, Policy policy) {
        this.world = world;
        this.clock = world.clock("pressure");
        toLedger = world.faults().link("pressure -> ledger", LATEST);
        fromLedger = world.bus().link("ledger's answer -> pressure");
        toPatcher = world.bus().link("pressure -> patcher");
        fromPatcher = world.bus().link("patcher -> pressure");
        toCluster = world.bus().link("pressure -> cluster");
        rules = new PressureRules(
                false, policy, 2, 10, Duration.ofSeconds(15), Duration.ofSeconds(25), Duration.ofMinutes(10));
        core = process();
        world.time().in(TICK, this::tick);
    }

    void begin() {
        wantResync();
    }

    /** The process ends, and another begins that knows nothing. */
    void crash() {
        life++;
        crashedAt = world.time().now();
        clock.reset();
        core = process();
        wantResync();
    }

    private Pressure process() {
        return new Pressure("pressure-" + life, rules, clock.now());
    }

    /** From now on no migration is begun. */
    void paused() {
        rules = new PressureRules(
                true,
                rules.policy(),
                rules.maxConcurrentPerNode(),
                rules.maxConcurrent(),
                rules.cooldown(),
                rules.startTimeout(),
                rules.completionTimeout());
        on(new PressureEvent.RulesChanged(rules));
    }

    private void tick() {
        on(new PressureEvent.Ticked());
        world.time().in(TICK, this::tick);
    }

    void heard(NodeLedgerView books) {
        on(new PressureEvent.NodeChanged(books));
    }

    void on(PressureEvent event) {
        if (world.journal().listens()) {
            tellOfMigrations(event);
        }
        for (var action : core.on(event, clock.now())) {
            perform(action);
        }
    }

    private void tellOfMigrations(PressureEvent event) {
        if (event instanceof PressureEvent.MigrationReceived(var seen)) {
            world.say("pressure hears of " + seen.name() + " v" + seen.version() + " " + seen.phase());
        } else if (event instanceof PressureEvent.MigrationMissed(var gone)) {
            world.say("pressure hears that " + gone.name() + " is gone");
        } else if (event instanceof PressureEvent.FullListReceived) {
            world.say("pressure hears of a listing");
        }
    }

    private void mine(int of, PressureEvent event) {
        if (of == life) {
            on(event);
        }
    }

    private void perform(PressureAction action) {
        switch (action) {
            case PressureAction.Look(var number, var node) -> look(number, node);
            case PressureAction.Send ask -> put(ask);
            case PressureAction.RequestRelist _ -> wantResync();
            case PressureAction.Publish(var decision) -> {
                if (world.journal().listens()) {
                    world.say("pressure: " + decision.kind() + " "
                            + decision.vm().map(vm -> vm.name()).orElse("") + " from " + decision.node() + " to "
                            + decision.to() + ", " + decision.reason());
                }
            }
            case PressureAction.Note _ -> {}
        }
    }

    private void look(long number, String node) {
        int of = life;
        world.bus()
                .<Snapshot>ask(
                        toLedger,
                        fromLedger,
                        SNAPSHOT_TIMEOUT,
                        answer -> world.ledger().snapshot(node, answer),
                        books -> mine(of, new PressureEvent.Looked(number, books)),
                        () -> mine(of, new PressureEvent.SnapshotFailed(number)));
    }

    private void put(PressureAction.Send ask) {
        switch (ask.question()) {
            case MigrationRequest.Hold(var it) ->
                this.<HoldReply>ledger(ask, it.node(), new LedgerCommand.Hold(it), MigrationReply.OfHold::new);
            case MigrationRequest.Release(var it) ->
                this.<HoldReply>ledger(ask, it.node(), new LedgerCommand.Release(it), MigrationReply.OfHold::new);
            case MigrationRequest.Mark(var it) ->
                this.<MarkReply>ledger(ask, it.node(), new LedgerCommand.Mark(it), MigrationReply.OfMark::new);
            case MigrationRequest.Unmark(var it) -> {
                world.happened(new Happening.UnmarkSent(it, false));
                this.<MarkReply>ledger(ask, it.node(), new LedgerCommand.Unmark(it), MigrationReply.OfMark::new);
            }
            case MigrationRequest.Migrate(var it) ->
                this.<MigrateReply>driver(
                        ask, reply -> world.patcher().migrate(it, reply), MigrationReply.OfMigrate::new);
            case MigrationRequest.End(var it) ->
                this.<EndReply>driver(ask, reply -> world.patcher().end(it, reply), MigrationReply.OfEnd::new);
        }
    }

    private <A> void ledger(
            PressureAction.Send ask, String node, LedgerCommand<A> command, Function<A, MigrationReply> as) {
        int of = life;
        world.bus()
                .<A>ask(
                        toLedger,
                        fromLedger,
                        LEDGER_TIMEOUT,
                        answer -> world.ledger().serve(node, command, answer),
                        reply -> answered(of, ask, as.apply(reply)),
                        () -> answered(of, ask, new MigrationReply.Failed("timeout")));
    }

    private <A> void driver(PressureAction.Send ask, ModelBus.Server<A> server, Function<A, MigrationReply> as) {
        int of = life;
        world.bus()
                .<A>ask(
                        toPatcher,
                        fromPatcher,
                        DRIVER_TIMEOUT,
                        server,
                        reply -> answered(of, ask, as.apply(reply)),
                        () -> answered(of, ask, new MigrationReply.Failed("timeout")));
    }

    private void answered(int of, PressureAction.Send ask, MigrationReply answer) {
        mine(of, new PressureEvent.Answered(ask.number(), ask.migration(), answer));
    }

    private void wantResync() {
        world.bus().tell(toCluster, world.cluster()::listSooner);
    }

    /** Whether room that a process before held may stand that nobody knows of: it ends by itself. */
    boolean mayHaveLeftHolds() {
        return world.time().now() < crashedAt + LATEST + Seconds.of(rules.holdFor());
    }

    /** What it knows and is about. */
    public PressureView view() {
        return core.view(clock.now());
    }
}
