package io.sluice.launcher;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.launcher.core.DecisionCounter;
import io.sluice.launcher.core.DecisionLine;
import io.sluice.launcher.core.FleetUse;
import io.sluice.launcher.core.Summary;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.explain.Explanation;
import io.sluice.shell.explain.ExplanationLines;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** Consumes every decision, prints it or equal ones in a row, and counts. */
final class DemoVerticle extends VerticleBase {
    private static final SnapshotRequest ALL_NODES = new SnapshotRequest("");
    private static final double MILLI = 1000;
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration LINE_EVERY = Duration.ofSeconds(10);

    private final Consumer<String> printer;
    private final DecisionCounter tally = new DecisionCounter();
    private final InstantSource clock = new MonotonicClock();
    private final Instant start = clock.instant().minus(ProcessLifetime.age());
    private final ExplanationLines lines = new ExplanationLines(LINE_EVERY);
    private Bus bus;
    private boolean over;

    /**
     * The end of a demo.
     *
     * @param summary what was counted
     * @param breaches what the ledger found inconsistent, in words
     */
    record End(Summary summary, List<String> breaches) {}

    /** A demo that passes its lines to the printer, on the event loop. */
    DemoVerticle(Consumer<String> printer) {
        this.printer = printer;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        vertx.setPeriodic(TICK.toMillis(), timer -> print(lines.due(clock.instant())));
        return Future.all(
                bus.subscribe(AgentAddresses.DECISION, this::received),
                bus.subscribe(PressureAddresses.DECISION, this::received),
                bus.subscribe(PlacementAddresses.DECISION, this::received));
    }

    /**
     * Ends the demo: later decisions are neither counted nor printed. Safe from any thread.
     *
     * @param usedCores CPU that the load uses now
     */
    Future<End> end(double usedCores) {
        var end = Promise.<End>promise();
        Context own = context;
        own.runOnContext(now -> {
            over = true;
            print(lines.rest());
            bus.request(LedgerAddresses.SNAPSHOT, ALL_NODES)
                    .map(snapshot -> ended(snapshot, usedCores))
                    .onComplete(end);
        });
        return end.future();
    }

    private void received(Decision decision) {
        if (over) {
            return;
        }
        tally.received(decision, ProcessLifetime.age());
        print(lines.take(Explanation.of(decision, clock.instant())));
    }

    private void received(PressureDecision decision) {
        if (over) {
            return;
        }
        tally.received(decision);
        print(lines.take(Explanation.of(decision, clock.instant())));
    }

    private void received(PlacementDecision decision) {
        if (over) {
            return;
        }
        tally.received(decision);
        print(lines.take(Explanation.of(decision, clock.instant()).about(decision.label())));
    }

    private void print(List<Explanation> entries) {
        entries.forEach(entry -> printer.accept(DecisionLine.of(entry, start)));
    }

    private End ended(Snapshot snapshot, double usedCores) {
        double reserved = snapshot.nodes().stream()
                .mapToDouble(node -> node.reserved().milliCpu() / MILLI)
                .sum();
        var breaches = snapshot.nodes().stream()
                .filter(node -> node.invariantsBroken() > 0)
                .map(DemoVerticle::broken)
                .toList();
        return new End(tally.summary(new FleetUse(reserved, usedCores)), breaches);
    }

    private static String broken(NodeLedgerView node) {
        return "the ledger state of " + node.node() + " was inconsistent " + node.invariantsBroken() + " times";
    }
}
