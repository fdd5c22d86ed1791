package io.sluice.pressure;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.ResyncWanted;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.pressure.core.moving.Answer;
import io.sluice.pressure.core.moving.PressureAction;
import io.sluice.pressure.core.moving.PressureNotice;
import io.sluice.pressure.core.moving.Question;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Watches for full nodes and has VMs moved away from them. Holds no rule of its own.
 *
 * <p>All of its configuration is taken while it runs.
 */
public final class PressureVerticle extends VerticleBase implements Reloadable<PressureConfig> {
    private static final String PART = "pressure";
    private static final Duration TICK = Duration.ofMillis(500);

    private final Shell shell;
    private final Pressure pressure;
    private final PressureMeters meters;
    private final PressureLog log = new PressureLog();
    private volatile Optional<OnContext> home = Optional.empty();
    private Bus bus;

    /** Watches all nodes. */
    public PressureVerticle(PressureConfig config, Shell shell) {
        this.shell = Objects.requireNonNull(shell, "shell");
        pressure = new Pressure(config.rules(), shell.clock().instant());
        meters = new PressureMeters(shell.meters());
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its addresses are not served yet");
        bus = new Bus(vertx);
        var here = new OnContext(context);
        home = Optional.of(here);
        shell.dumps()
                .offer(
                        PART,
                        new PressureDump(here, () -> pressure.view(shell.clock().instant())));
        vertx.setPeriodic(TICK.toMillis(), timer -> handle(new PressureEvent.Ticked()));
        return Future.all(listen()).onSuccess(listening -> {
            shell.readiness().ready(PART);
            wantResync();
        });
    }

    @Override
    public Future<?> stop() {
        shell.dumps().withdraw(PART);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> reload(PressureConfig section) {
        return home.map(here -> here.<Void>run(() -> {
                    handle(new PressureEvent.RulesChanged(section.rules()));
                    return null;
                }))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("pressure has not started yet")));
    }

    private List<Future<Void>> listen() {
        return List.of(
                bus.serve(PressureAddresses.RANK, this::rank),
                bus.subscribe(LedgerAddresses.NODE_CHANGED, books -> handle(new PressureEvent.NodeChanged(books))),
                bus.subscribe(ClusterAddresses.VM_SEEN, fact -> handle(new PressureEvent.VmHeard(fact))),
                bus.subscribe(ClusterAddresses.VM_GONE, fact -> handle(new PressureEvent.VmMissed(fact))),
                bus.subscribe(ClusterAddresses.POD_SEEN, fact -> handle(new PressureEvent.PodHeard(fact))),
                bus.subscribe(ClusterAddresses.POD_GONE, fact -> handle(new PressureEvent.PodMissed(fact))),
                bus.subscribe(ClusterAddresses.MIGRATION_SEEN, fact -> handle(new PressureEvent.MigrationHeard(fact))),
                bus.subscribe(ClusterAddresses.MIGRATION_GONE, fact -> handle(new PressureEvent.MigrationMissed(fact))),
                bus.subscribe(ClusterAddresses.LISTED, listing -> handle(new PressureEvent.ListingHeard())));
    }

    /** Always on this verticle's context, so nothing here needs a lock. */
    private void handle(PressureEvent event) {
        pressure.on(event, shell.clock().instant()).forEach(this::perform);
        meters.show(pressure);
    }

    private void perform(PressureAction action) {
        switch (action) {
            case PressureAction.Look(var number, var node) -> look(number, node);
            case PressureAction.Ask ask ->
                put(ask.question())
                        .otherwise(lost -> new Answer.Lost(lost.toString()))
                        .onSuccess(answer -> handle(new PressureEvent.Answered(ask.number(), ask.migration(), answer)));
            case PressureAction.WantResync _ -> wantResync();
            case PressureAction.Tell(var decision) -> tell(decision);
            case PressureAction.Note(var notice) -> note(notice);
        }
    }

    private void look(long number, String node) {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .<PressureEvent>map(books -> new PressureEvent.Looked(number, books))
                .otherwise(lost -> new PressureEvent.LookLost(number))
                .onSuccess(this::handle);
    }

    private Future<Answer> put(Question question) {
        return switch (question) {
            case Question.Hold(var message) ->
                bus.request(LedgerAddresses.HOLD, message).map(Answer.OfHold::new);
            case Question.Release(var message) ->
                bus.request(LedgerAddresses.RELEASE, message).map(Answer.OfHold::new);
            case Question.Mark(var message) ->
                bus.request(LedgerAddresses.MARK, message).map(Answer.OfMark::new);
            case Question.Unmark(var message) ->
                bus.request(LedgerAddresses.UNMARK, message).map(Answer.OfMark::new);
            case Question.Migrate(var message) ->
                bus.request(VmAddresses.MIGRATE, message).map(Answer.OfMigrate::new);
            case Question.End(var message) ->
                bus.request(VmAddresses.END_MIGRATION, message).map(Answer.OfEnd::new);
        };
    }

    private void wantResync() {
        bus.publish(ClusterAddresses.RESYNC_WANTED, new ResyncWanted(PART));
    }

    private void tell(PressureDecision decision) {
        bus.publish(PressureAddresses.DECISION, decision);
        meters.decided(decision);
        log.decided(decision);
    }

    private void note(PressureNotice notice) {
        meters.noticed(notice);
        log.noticed(notice);
    }

    private Future<Ranking> rank(RankNode wanted) {
        return bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(wanted.node()))
                .map(found -> found.nodes().stream()
                        .filter(books -> books.node().equals(wanted.node()))
                        .findFirst()
                        .map(books -> pressure.rank(books, shell.clock().instant()))
                        .orElseGet(() -> new Ranking(List.of())));
    }
}
