package io.sluice.pressure;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.migrations.MigrationReply;
import io.sluice.pressure.core.migrations.MigrationRequest;
import io.sluice.pressure.core.migrations.PressureAction;
import io.sluice.pressure.core.migrations.PressureNotice;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.OnContext;
import io.sluice.shell.Peers;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for full nodes and has VMs moved away from them. Holds no rule of its own.
 *
 * <p>Of several processes one leads and does all of it. The others know nothing and ask nothing until it is their turn,
 * and begin then as a process does that has just started. All of its configuration is taken while it runs.
 */
public final class PressureVerticle extends VerticleBase implements Reloadable<PressureConfig> {
    private static final String PART = "pressure";
    private static final Logger LOG = LoggerFactory.getLogger(PressureVerticle.class);
    private static final Duration TICK = Duration.ofMillis(500);

    private final Shell shell;
    private final Assignment share;
    private final PressureMetrics meters;
    private final PressureLog log = new PressureLog();
    private volatile Optional<OnContext> home = Optional.empty();
    private Optional<Peers.Watching> watching = Optional.empty();
    private Optional<Pressure> leading = Optional.empty();
    private PressureRules rules;
    private Bus bus;

    /** Watches all nodes, if that falls to this process. */
    public PressureVerticle(PressureConfig config, Shell shell) {
        this.shell = Objects.requireNonNull(shell, "shell");
        rules = config.rules();
        share = new Assignment(shell.peers(), PART);
        meters = new PressureMetrics(shell.meters());
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its addresses are not served yet");
        bus = new Bus(vertx);
        var here = new OnContext(context);
        home = Optional.of(here);
        shell.dumps().offer(PART, new PressureDump(here, () -> leading.map(it -> it.view(now()))));
        return Future.all(listen()).onSuccess(listening -> {
            watching = Optional.of(shell.peers().watch(() -> here.call(this::weighLead)));
            vertx.setPeriodic(TICK.toMillis(), timer -> {
                weighLead();
                handle(new PressureEvent.Ticked());
            });
            weighLead();
            shell.readiness().ready(PART);
        });
    }

    @Override
    public Future<?> stop() {
        watching.ifPresent(Peers.Watching::close);
        shell.dumps().withdraw(PART);
        return Future.succeededFuture();
    }

    /** Who begins to lead knows nothing, and who ceases to forgets everything: neither acts on what is old. */
    private Optional<Pressure> weighLead() {
        boolean mine = share.mine(PART);
        if (mine && leading.isEmpty()) {
            leading = Optional.of(new Pressure(UUID.randomUUID().toString(), rules, now()));
            meters.leads(true);
            LOG.atInfo().log("This process watches for full nodes now.");
            wantResync();
        } else if (!mine && leading.isPresent()) {
            leading = Optional.empty();
            meters.leads(false);
            LOG.atInfo()
                    .addKeyValue(LogKeys.ENDPOINT, share.holder(PART).orElse(""))
                    .log("Another process watches for full nodes now.");
        }
        return leading;
    }

    @Override
    public Future<Void> reload(PressureConfig section) {
        return home.map(here -> here.<Void>call(() -> {
                    rules = section.rules();
                    handle(new PressureEvent.RulesChanged(rules));
                    return null;
                }))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("pressure has not started yet")));
    }

    private List<Future<Void>> listen() {
        var here = shell.peers().self().id();
        return List.of(
                bus.serve(PressureAddresses.RANK, this::rank),
                here.isEmpty() ? Future.succeededFuture() : bus.serve(PressureAddresses.RANK.at(here), this::rankHere),
                bus.subscribe(LedgerAddresses.NODE_CHANGED, books -> handle(new PressureEvent.NodeChanged(books))),
                bus.subscribe(ClusterAddresses.NODE_SEEN, fact -> handle(new PressureEvent.NodeReceived(fact))),
                bus.subscribe(ClusterAddresses.NODE_GONE, fact -> handle(new PressureEvent.NodeMissed(fact))),
                bus.subscribe(ClusterAddresses.VM_SEEN, fact -> handle(new PressureEvent.VmReceived(fact))),
                bus.subscribe(ClusterAddresses.VM_GONE, fact -> handle(new PressureEvent.VmMissed(fact))),
                bus.subscribe(ClusterAddresses.POD_SEEN, fact -> handle(new PressureEvent.PodReceived(fact))),
                bus.subscribe(ClusterAddresses.POD_GONE, fact -> handle(new PressureEvent.PodMissed(fact))),
                bus.subscribe(
                        ClusterAddresses.MIGRATION_SEEN, fact -> handle(new PressureEvent.MigrationReceived(fact))),
                bus.subscribe(ClusterAddresses.MIGRATION_GONE, fact -> handle(new PressureEvent.MigrationMissed(fact))),
                bus.subscribe(
                        ClusterAddresses.LISTED,
                        listing -> handle(new PressureEvent.FullListReceived(listing.migrations()))));
    }

    /** Always on this verticle's context, so nothing here needs a lock. */
    private void handle(PressureEvent event) {
        leading.ifPresent(pressure -> {
            pressure.on(event, now()).forEach(action -> perform(pressure, action));
            meters.show(pressure);
        });
    }

    /** An answer to a question from before this process led anew is nobody's. */
    private void answered(Pressure asker, PressureEvent event) {
        if (leading.filter(present -> present == asker).isPresent()) {
            handle(event);
        }
    }

    private void perform(Pressure asker, PressureAction action) {
        switch (action) {
            case PressureAction.Look(var number, var node) -> look(asker, number, node);
            case PressureAction.Send ask ->
                put(ask.question())
                        .otherwise(lost -> new MigrationReply.Failed(lost.toString()))
                        .map(answer -> new PressureEvent.Answered(ask.number(), ask.migration(), answer))
                        .onSuccess(event -> answered(asker, event));
            case PressureAction.RequestRelist _ -> wantResync();
            case PressureAction.Publish(var decision) -> tell(decision);
            case PressureAction.Note(var notice) -> note(notice);
        }
    }

    private void look(Pressure asker, long number, String node) {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .<PressureEvent>map(books -> new PressureEvent.Looked(number, books))
                .otherwise(lost -> new PressureEvent.SnapshotFailed(number))
                .onSuccess(event -> answered(asker, event));
    }

    private Future<MigrationReply> put(MigrationRequest question) {
        return switch (question) {
            case MigrationRequest.Hold(var message) ->
                bus.request(LedgerAddresses.HOLD, message).map(MigrationReply.OfHold::new);
            case MigrationRequest.Release(var message) ->
                bus.request(LedgerAddresses.RELEASE, message).map(MigrationReply.OfHold::new);
            case MigrationRequest.Mark(var message) ->
                bus.request(LedgerAddresses.MARK, message).map(MigrationReply.OfMark::new);
            case MigrationRequest.Unmark(var message) ->
                bus.request(LedgerAddresses.UNMARK, message).map(MigrationReply.OfMark::new);
            case MigrationRequest.Migrate(var message) ->
                bus.request(VmAddresses.MIGRATE, message).map(MigrationReply.OfMigrate::new);
            case MigrationRequest.End(var message) ->
                bus.request(VmAddresses.END_MIGRATION, message).map(MigrationReply.OfEnd::new);
        };
    }

    private void wantResync() {
        bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest(PART));
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

    /** Only who leads knows; whoever is asked passes the question on. */
    private Future<Ranking> rank(RankNode wanted) {
        var here = shell.peers().self().id();
        var elsewhere = share.holder(PART).filter(holder -> !holder.equals(here));
        return leading.isPresent() || elsewhere.isEmpty()
                ? rankHere(wanted)
                : bus.request(PressureAddresses.RANK.at(elsewhere.get()), wanted);
    }

    private Future<Ranking> rankHere(RankNode wanted) {
        if (leading.isEmpty()) {
            return Future.failedFuture("this process does not watch for full nodes");
        }
        var pressure = leading.get();
        return bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(wanted.node()))
                .map(found -> found.nodes().stream()
                        .filter(books -> books.node().equals(wanted.node()))
                        .findFirst()
                        .map(books -> pressure.rank(books, now()))
                        .orElseGet(() -> new Ranking(List.of())));
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
