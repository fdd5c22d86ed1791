package io.sluice.pressure;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.RankNode;
import io.sluice.messages.pressure.Ranking;
import io.sluice.pressure.core.Pressure;
import io.sluice.pressure.core.PressureEvent;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureAction;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.OnContext;
import io.sluice.shell.Peers;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.shell.explain.NameList;
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
 * Watches for full nodes and migrates VMs away from them. It has no rules of its own.
 *
 * <p>Of several processes one leads and does all of it. The others have no state and send no requests until they lead;
 * then they begin like a process that has just started. All of its configuration can change while it runs.
 */
public final class PressureVerticle extends VerticleBase implements Reloadable<PressureConfig> {
    private static final String PART = "pressure";
    private static final Logger LOG = LoggerFactory.getLogger(PressureVerticle.class);
    private static final int NAMED_MAX = 3;
    private static final Duration TICK = Duration.ofMillis(500);

    private final Shell shell;
    private final Assignment share;
    private final PressureMetrics meters;
    private final PressureLog log = new PressureLog();
    private volatile List<String> hanging = List.of();
    private volatile Optional<OnContext> home = Optional.empty();
    private Optional<Peers.Watching> watching = Optional.empty();
    private Optional<Pressure> leading = Optional.empty();
    private PressureRules rules;
    private Bus bus;

    /** Creates a verticle that watches all nodes while this process leads. */
    public PressureVerticle(PressureConfig config, Shell shell) {
        this.shell = Objects.requireNonNull(shell, "shell");
        rules = config.rules();
        share = new Assignment(shell.peers(), PART);
        meters = new PressureMetrics(shell.meters());
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its addresses are not registered yet");
        bus = new Bus(vertx);
        var here = new OnContext(context);
        home = Optional.of(here);
        shell.readiness().reports(PART, "migrations", this::trouble);
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

    /**
     * Checks whether this process leads. A new leader starts without state and a former one drops its state, so neither
     * acts on old state.
     */
    private Optional<Pressure> weighLead() {
        boolean mine = share.mine(PART);
        if (mine && leading.isEmpty()) {
            leading = Optional.of(new Pressure(UUID.randomUUID().toString(), rules, now()));
            meters.leads(true);
            LOG.atInfo().log("This process leads now and watches for full nodes.");
            requestRelist();
        } else if (!mine && leading.isPresent()) {
            leading = Optional.empty();
            hanging = List.of();
            meters.leads(false);
            LOG.atInfo()
                    .addKeyValue(LogKeys.ENDPOINT, share.holder(PART).orElse(""))
                    .log("Another process leads now and watches for full nodes.");
        }
        return leading;
    }

    private Optional<String> trouble() {
        var migrations = hanging;
        return migrations.isEmpty()
                ? Optional.empty()
                : Optional.of("migrations that Sluice did not begin last longer than pressure.completionTimeout: "
                        + NameList.text(migrations, NAMED_MAX));
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
                bus.subscribe(LedgerAddresses.NODE_CHANGED, ledger -> handle(new PressureEvent.NodeChanged(ledger))),
                bus.subscribe(
                        ClusterAddresses.NODE_OBSERVED,
                        observation -> handle(new PressureEvent.NodeReceived(observation))),
                bus.subscribe(
                        ClusterAddresses.NODE_GONE, observation -> handle(new PressureEvent.NodeMissed(observation))),
                bus.subscribe(
                        ClusterAddresses.VM_OBSERVED, observation -> handle(new PressureEvent.VmReceived(observation))),
                bus.subscribe(ClusterAddresses.VM_GONE, observation -> handle(new PressureEvent.VmMissed(observation))),
                bus.subscribe(AgentAddresses.STATUS, this::received),
                bus.subscribe(PlacementAddresses.GANG, gang -> handle(new PressureEvent.GangReceived(gang))),
                bus.subscribe(
                        ClusterAddresses.POD_OBSERVED,
                        observation -> handle(new PressureEvent.PodReceived(observation))),
                bus.subscribe(
                        ClusterAddresses.POD_GONE, observation -> handle(new PressureEvent.PodMissed(observation))),
                bus.subscribe(
                        ClusterAddresses.MIGRATION_OBSERVED,
                        observation -> handle(new PressureEvent.MigrationReceived(observation))),
                bus.subscribe(
                        ClusterAddresses.MIGRATION_GONE,
                        observation -> handle(new PressureEvent.MigrationMissed(observation))),
                bus.subscribe(
                        ClusterAddresses.LISTED,
                        fullList -> handle(new PressureEvent.FullListReceived(fullList.migrations()))));
    }

    private void received(RunnerStatus status) {
        if (rules.readsUse()) {
            handle(new PressureEvent.StatusReceived(status));
        }
    }

    /** Runs on this verticle's context only, so no lock is needed. */
    private void handle(PressureEvent event) {
        leading.ifPresent(pressure -> {
            pressure.on(event, now()).forEach(action -> perform(pressure, action));
            meters.show(pressure);
            hanging = pressure.hanging();
        });
    }

    /** Handles a reply. One to a request from before this process last became the leader is dropped. */
    private void answered(Pressure client, PressureEvent event) {
        if (leading.filter(present -> present == client).isPresent()) {
            handle(event);
        }
    }

    private void perform(Pressure client, PressureAction action) {
        switch (action) {
            case PressureAction.Look(var number, var node) -> look(client, number, node);
            case PressureAction.Send request ->
                put(request.request())
                        .otherwise(lost -> new MigrationReply.Failed(lost.toString()))
                        .map(answer -> new PressureEvent.Answered(request.number(), request.migration(), answer))
                        .onSuccess(event -> answered(client, event));
            case PressureAction.RequestRelist _ -> requestRelist();
            case PressureAction.Publish(var decision) -> publish(decision);
            case PressureAction.Record(var notice) -> record(notice);
        }
    }

    private void look(Pressure client, long number, String node) {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                .<PressureEvent>map(snapshot -> new PressureEvent.Looked(number, snapshot))
                .otherwise(lost -> new PressureEvent.SnapshotFailed(number))
                .onSuccess(event -> answered(client, event));
    }

    private Future<MigrationReply> put(MigrationRequest request) {
        return switch (request) {
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

    private void requestRelist() {
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
    }

    private void publish(PressureDecision decision) {
        bus.publish(PressureAddresses.DECISION, decision);
        meters.decided(decision);
        log.decided(decision);
    }

    private void record(PressureNotice notice) {
        meters.noticed(notice);
        log.noticed(notice);
    }

    /** Only the leader has the state; any other process forwards the request to it. */
    private Future<Ranking> rank(RankNode request) {
        var here = shell.peers().self().id();
        var elsewhere = share.holder(PART).filter(holder -> !holder.equals(here));
        return leading.isPresent() || elsewhere.isEmpty()
                ? rankHere(request)
                : bus.request(PressureAddresses.RANK.at(elsewhere.get()), request);
    }

    private Future<Ranking> rankHere(RankNode request) {
        if (leading.isEmpty()) {
            return Future.failedFuture("this process does not lead");
        }
        var pressure = leading.get();
        return bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(request.node()))
                .map(found -> found.nodes().stream()
                        .filter(ledger -> ledger.node().equals(request.node()))
                        .findFirst()
                        .map(ledger -> pressure.rank(ledger, now()))
                        .orElseGet(() -> new Ranking(List.of())));
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
