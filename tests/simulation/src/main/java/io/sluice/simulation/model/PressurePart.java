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
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureAction;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import java.time.Duration;
import java.util.function.Function;

/** The part that migrates VMs away from full nodes: the real core, and what its verticle does for it. */
public final class PressurePart {
    private static final long TICK = Seconds.ofMillis(1_000);
    private static final long LEDGER_TIMEOUT = Seconds.of(1);

    /** The longest delay of a copy of a ledger request. */
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
        requestRelist();
    }

    /** Ends the process and starts another one without state. */
    void crash() {
        life++;
        crashedAt = world.time().now();
        clock.reset();
        core = process();
        requestRelist();
    }

    private Pressure process() {
        return new Pressure("pressure-" + life, rules, clock.now());
    }

    /** From now on no migration begins. */
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

    void received(NodeLedgerView ledger) {
        on(new PressureEvent.NodeChanged(ledger));
    }

    void on(PressureEvent event) {
        if (world.journal().listens()) {
            reportOfMigrations(event);
        }
        for (var action : core.on(event, clock.now())) {
            perform(action);
        }
    }

    private void reportOfMigrations(PressureEvent event) {
        if (event instanceof PressureEvent.MigrationReceived(var observed)) {
            world.report("pressure observes " + observed.name() + " v" + observed.version() + " " + observed.phase());
        } else if (event instanceof PressureEvent.MigrationMissed(var gone)) {
            world.report("pressure observes that " + gone.name() + " is gone");
        } else if (event instanceof PressureEvent.FullListReceived) {
            world.report("pressure receives a full list");
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
            case PressureAction.Send request -> put(request);
            case PressureAction.RequestRelist _ -> requestRelist();
            case PressureAction.Publish(var decision) -> {
                if (world.journal().listens()) {
                    world.report("pressure: " + decision.kind() + " "
                            + decision.vm().map(vm -> vm.name()).orElse("") + " from " + decision.node() + " to "
                            + decision.to() + ", " + decision.reason());
                }
            }
            case PressureAction.Record _ -> {}
        }
    }

    private void look(long number, String node) {
        int of = life;
        world.bus()
                .<Snapshot>request(
                        toLedger,
                        fromLedger,
                        SNAPSHOT_TIMEOUT,
                        answer -> world.ledger().snapshot(node, answer),
                        snapshot -> mine(of, new PressureEvent.Looked(number, snapshot)),
                        () -> mine(of, new PressureEvent.SnapshotFailed(number)));
    }

    private void put(PressureAction.Send request) {
        switch (request.request()) {
            case MigrationRequest.Hold(var it) ->
                this.<HoldReply>ledger(request, it.node(), new LedgerCommand.Hold(it), MigrationReply.OfHold::new);
            case MigrationRequest.Release(var it) ->
                this.<HoldReply>ledger(request, it.node(), new LedgerCommand.Release(it), MigrationReply.OfHold::new);
            case MigrationRequest.Mark(var it) ->
                this.<MarkReply>ledger(request, it.node(), new LedgerCommand.Mark(it), MigrationReply.OfMark::new);
            case MigrationRequest.Unmark(var it) -> {
                world.happened(new Happening.UnmarkSent(it, false));
                this.<MarkReply>ledger(request, it.node(), new LedgerCommand.Unmark(it), MigrationReply.OfMark::new);
            }
            case MigrationRequest.Migrate(var it) ->
                this.<MigrateReply>driver(
                        request, reply -> world.patcher().migrate(it, reply), MigrationReply.OfMigrate::new);
            case MigrationRequest.End(var it) ->
                this.<EndReply>driver(request, reply -> world.patcher().end(it, reply), MigrationReply.OfEnd::new);
        }
    }

    private <A> void ledger(
            PressureAction.Send request, String node, LedgerCommand<A> command, Function<A, MigrationReply> as) {
        int of = life;
        world.bus()
                .<A>request(
                        toLedger,
                        fromLedger,
                        LEDGER_TIMEOUT,
                        answer -> world.ledger().serve(node, command, answer),
                        reply -> answered(of, request, as.apply(reply)),
                        () -> answered(of, request, new MigrationReply.Failed("timeout")));
    }

    private <A> void driver(PressureAction.Send request, ModelBus.Server<A> server, Function<A, MigrationReply> as) {
        int of = life;
        world.bus()
                .<A>request(
                        toPatcher,
                        fromPatcher,
                        DRIVER_TIMEOUT,
                        server,
                        reply -> answered(of, request, as.apply(reply)),
                        () -> answered(of, request, new MigrationReply.Failed("timeout")));
    }

    private void answered(int of, PressureAction.Send request, MigrationReply answer) {
        mine(of, new PressureEvent.Answered(request.number(), request.migration(), answer));
    }

    private void requestRelist() {
        world.bus().report(toCluster, world.cluster()::listSooner);
    }

    /** Whether a hold of an earlier process may remain that no process releases: it expires. */
    boolean mayHaveLeftHolds() {
        return world.time().now() < crashedAt + LATEST + Seconds.of(rules.holdFor());
    }

    /** What it has observed and what it is doing. */
    public PressureView view() {
        return core.view(clock.now());
    }
}
