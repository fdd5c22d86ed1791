package io.sluice.launcher;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.launcher.core.DecisionCounter;
import io.sluice.launcher.core.DecisionLine;
import io.sluice.launcher.core.FleetUse;
import io.sluice.launcher.core.Summary;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.pressure.PressureDecision;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.function.Consumer;

/** Hears every decision, has it printed, and counts. */
final class DemoVerticle extends VerticleBase {
    private static final SnapshotRequest ALL_NODES = new SnapshotRequest("");
    private static final double MILLI = 1000;

    private final Consumer<String> printer;
    private final DecisionCounter tally = new DecisionCounter();
    private Bus bus;
    private boolean over;

    /**
     * What is left to say when a demo ends.
     *
     * @param summary what was counted
     * @param breaches what the ledger itself found broken, in words
     */
    record End(Summary summary, List<String> breaches) {}

    /** A demo whose lines go to the printer, on the event loop. */
    DemoVerticle(Consumer<String> printer) {
        this.printer = printer;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        return Future.all(
                bus.subscribe(AgentAddresses.DECISION, this::heard),
                bus.subscribe(PressureAddresses.DECISION, this::heard));
    }

    /**
     * The end of the story: what is decided from now on is neither counted nor printed. From any thread.
     *
     * @param usedCores CPU that the load takes now
     */
    Future<End> end(double usedCores) {
        var end = Promise.<End>promise();
        Context own = context;
        own.runOnContext(now -> {
            over = true;
            bus.request(LedgerAddresses.SNAPSHOT, ALL_NODES)
                    .map(books -> ended(books, usedCores))
                    .onComplete(end);
        });
        return end.future();
    }

    private void heard(Decision decision) {
        if (over) {
            return;
        }
        var sinceStart = ProcessLifetime.age();
        tally.heard(decision, sinceStart);
        printer.accept(DecisionLine.of(decision, sinceStart));
    }

    private void heard(PressureDecision decision) {
        if (over) {
            return;
        }
        tally.heard(decision);
        printer.accept(DecisionLine.of(decision, ProcessLifetime.age()));
    }

    private End ended(Snapshot books, double usedCores) {
        double reserved = books.nodes().stream()
                .mapToDouble(node -> node.reserved().milliCpu() / MILLI)
                .sum();
        var breaches = books.nodes().stream()
                .filter(node -> node.invariantsBroken() > 0)
                .map(DemoVerticle::broken)
                .toList();
        return new End(tally.summary(new FleetUse(reserved, usedCores)), breaches);
    }

    private static String broken(NodeLedgerView node) {
        return "the books of " + node.node() + " were inconsistent " + node.invariantsBroken() + " times";
    }
}
