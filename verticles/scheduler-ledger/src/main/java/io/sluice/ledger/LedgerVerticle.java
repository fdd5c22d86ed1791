package io.sluice.ledger;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.ObservationReply;
import io.sluice.ledger.core.ReferenceAgents;
import io.sluice.ledger.core.RelistRequests;
import io.sluice.ledger.core.nearest.NearestGrantSearch;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.ledger.store.MemoryLedgerStore;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.LogKeys;
import io.sluice.shell.OnContext;
import io.sluice.shell.Peers;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.TraceSpan;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns messages into commands on the ledger of a node, and publishes changes. It has no rules of its own.
 *
 * <p>{@code watermark}, {@code notReadyGrace} and {@code checkInvariants} can change while it runs.
 */
public final class LedgerVerticle extends VerticleBase implements Reloadable<LedgerConfig> {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerVerticle.class);
    private static final String PART = "ledger";
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int SLICES = ReferenceAgents.SLICES;

    private final Shell shell;
    private final LedgerStore store;
    private final LedgerMetrics meters;
    private final NoticeLog notices;
    private final RelistRequests wanted = new RelistRequests();
    private final ReferenceAgents referenceAgents = new ReferenceAgents();
    private List<String> kept = List.of();
    private int slice;

    private LedgerConfig config;
    private Bus bus;
    private NodeAnnouncer announcer;
    private Optional<Peers.Watching> watching = Optional.empty();
    private volatile Optional<OnContext> home = Optional.empty();

    /** Creates a verticle that keeps the ledger in memory. */
    public LedgerVerticle(LedgerConfig config, Shell shell) {
        this(config, new MemoryLedgerStore(new NodeLedger(config.rules()), shell.clock()), shell);
    }

    /**
     * Creates a verticle on a store.
     *
     * @param config the configuration whose rules the store uses
     */
    public LedgerVerticle(LedgerConfig config, LedgerStore store, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.store = Objects.requireNonNull(store, "store");
        meters = new LedgerMetrics(shell.meters());
        notices = new NoticeLog(meters);
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its addresses are not registered yet");
        bus = new Bus(vertx);
        announcer = new NodeAnnouncer(
                vertx,
                state -> LedgerView.summary(state, notices.broken(state.node())),
                ledger -> bus.publish(LedgerAddresses.NODE_CHANGED, ledger));
        vertx.setPeriodic(TICK.toMillis() / SLICES, timer -> tick());
        var here = new OnContext(context);
        home = Optional.of(here);
        store.watch(new LedgerFeed(context, this::happened));
        watching = Optional.of(shell.peers().watch(() -> context.runOnContext(turn -> wanted.processesChanged())));
        return Future.all(serve())
                .compose(served -> Future.all(serveMoves()))
                .compose(served -> Future.all(subscribe()))
                .onSuccess(listening -> {
                    shell.dumps().offer(PART, new LedgerDump(store, here, notices::broken));
                    shell.readiness().ready(PART);
                    requestRelist();
                });
    }

    @Override
    public Future<?> stop() {
        watching.ifPresent(Peers.Watching::close);
        shell.dumps().withdraw(PART);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> reload(LedgerConfig section) {
        return home.map(here -> here.run(() -> take(section)))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("the ledger has not started yet")));
    }

    private Future<Void> take(LedgerConfig section) {
        var refusal = section.unchangeable(config);
        if (refusal.isPresent()) {
            return Future.failedFuture(new IllegalArgumentException(refusal.get()));
        }
        return store.rule(section.rules()).compose(ruled -> {
            config = section;
            return reweighAll();
        });
    }

    /** The rules are set already, so the next tick corrects any node that is missed here. */
    private Future<Void> reweighAll() {
        return store.nodes()
                .compose(nodes -> Future.join(nodes.stream()
                        .map(node -> store.run(node, new LedgerCommand.Reweigh()))
                        .toList()))
                .onFailure(this::notTicked)
                .transform(done -> Future.succeededFuture());
    }

    private List<Future<Void>> serve() {
        return List.of(
                bus.serve(LedgerAddresses.OPEN, this::open),
                bus.serve(LedgerAddresses.PERMIT, this::permit),
                bus.serve(
                        LedgerAddresses.LOAD_NODE,
                        fullList -> request(fullList.node().node(), new LedgerCommand.Load(fullList))),
                bus.serve(
                        LedgerAddresses.RECLAIM,
                        read -> request(read.node(), new LedgerCommand.ReclaimReservation(read))),
                bus.serve(LedgerAddresses.SNAPSHOT, this::snapshot),
                bus.serve(LedgerAddresses.NEAREST_GRANT, this::nearestGrant));
    }

    private List<Future<Void>> serveMoves() {
        return List.of(
                bus.serve(LedgerAddresses.HOLD, request -> place(request.node(), new LedgerCommand.Hold(request))),
                bus.serve(LedgerAddresses.RELEASE, free -> place(free.node(), new LedgerCommand.Release(free))),
                bus.serve(LedgerAddresses.KEEP, this::keep),
                bus.serve(LedgerAddresses.MARK, begun -> move(begun.node(), new LedgerCommand.Mark(begun))),
                bus.serve(LedgerAddresses.UNMARK, over -> move(over.node(), new LedgerCommand.Unmark(over))));
    }

    /** VMs that are gone are ignored: their reservations end with their pods. */
    private List<Future<Void>> subscribe() {
        return List.of(
                bus.subscribe(
                        ClusterAddresses.NODE_OBSERVED,
                        observed -> take(observed.node(), new LedgerCommand.ObserveNode(observed))),
                bus.subscribe(ClusterAddresses.NODE_GONE, gone -> take(gone.node(), new LedgerCommand.LoseNode(gone))),
                bus.subscribe(
                        ClusterAddresses.POD_OBSERVED,
                        observed -> take(observed.node(), new LedgerCommand.ObservePod(observed))),
                bus.subscribe(ClusterAddresses.POD_GONE, gone -> take(gone.node(), new LedgerCommand.LosePod(gone))),
                bus.subscribe(ClusterAddresses.VM_OBSERVED, observed -> {
                    referenceAgents.observed(observed.vm());
                    take(observed.node(), new LedgerCommand.ObserveVm(observed));
                }));
    }

    private <A> Future<A> request(String node, LedgerCommand<A> command) {
        return store.run(node, command).onFailure(meters::unanswered);
    }

    private Future<PermitReply> permit(PermitRequest request) {
        var span = CurrentSpan.get();
        return request(request.node(), new LedgerCommand.RequestPermit(request)).onSuccess(reply -> {
            meters.answered(reply);
            if (span.isRecorded()) {
                describe(span, request, reply);
            }
            if (reply instanceof PermitReply.NotReady) {
                missing(request.node());
            }
        });
    }

    private static void describe(TraceSpan span, PermitRequest request, PermitReply reply) {
        span.on(request.node()).set("k8s.pod.uid", request.pod()).amount("requested", request.target());
        if (reply instanceof PermitReply.Ruled ruled) {
            span.amount("granted", ruled.permit());
        }
        span.outcome(reply.word());
    }

    private Future<OpenReply> open(OpenSession request) {
        return request(request.node(), new LedgerCommand.Open(request)).onSuccess(reply -> {
            if (reply instanceof OpenReply.NotReady) {
                missing(request.node());
            }
        });
    }

    private Future<HoldReply> place(String node, LedgerCommand<HoldReply> command) {
        return request(node, command).onSuccess(meters::answered);
    }

    private Future<KeepReply> keep(KeepRoom request) {
        return request(request.room().node(), new LedgerCommand.Keep(request)).onSuccess(meters::answered);
    }

    private Future<MarkReply> move(String node, LedgerCommand<MarkReply> command) {
        return request(node, command).onSuccess(meters::answered);
    }

    private Future<Snapshot> snapshot(SnapshotRequest request) {
        var nodes = request.node().isEmpty() ? store.nodes() : Future.succeededFuture(List.of(request.node()));
        return nodes.compose(names -> Future.all(names.stream().map(store::read).toList()))
                .map(read -> new Snapshot(read.<Optional<NodeState>>list().stream()
                        .flatMap(Optional::stream)
                        .map(state -> LedgerView.full(state, notices.broken(state.node())))
                        .toList()));
    }

    /** The state is immutable: changes are tried on copies of it, off the event loop. */
    private Future<NearestGrant> nearestGrant(GrantQuery query) {
        var rules = config.rules();
        return store.read(query.node())
                .compose(read -> vertx.executeBlocking(
                        () -> read.map(state -> NearestGrantSearch.find(state, rules, query))
                                .orElse(NearestGrant.UNKNOWN),
                        false));
    }

    /** Observations get no reply. */
    private void take(String node, LedgerCommand.Observe observation) {
        if (!node.isEmpty()) {
            store.run(node, observation)
                    .onSuccess(reply -> {
                        if (reply == ObservationReply.POD_MISSING) {
                            wanted.missing("on node " + node + " a VM was observed whose pod was not observed");
                        }
                    })
                    .onFailure(lost -> wanted.missing(lost.toString()));
        }
    }

    /** Records that the state of a requested node is absent or incomplete. */
    private void missing(String node) {
        wanted.missing("the ledger of node " + node + " is not complete");
    }

    private void requestRelist() {
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
    }

    /** Does a tenth of a second's work, so that no permit request waits for all of it. */
    private void tick() {
        slice = (slice + 1) % SLICES;
        if (slice == 0) {
            requestMissing();
            store.kept().onSuccess(this::keep).onFailure(this::notTicked);
        }
        referenceAgents.due(shell.clock().instant()).forEach(status -> bus.publish(LedgerAddresses.VM_STATUS, status));
        for (var node : kept) {
            if (Math.floorMod(node.hashCode(), SLICES) == slice) {
                store.run(node, new LedgerCommand.Tick()).onFailure(this::notTicked);
            }
        }
    }

    private void requestMissing() {
        wanted.tick().ifPresent(missing -> {
            LOG.atWarn()
                    .addKeyValue(LogKeys.COUNT, missing.count())
                    .addKeyValue(LogKeys.REASON, missing.last())
                    .log("Observations are missing; the ledger requests a full list.");
            requestRelist();
        });
    }

    private void keep(List<String> nodes) {
        kept = nodes;
        var present = Set.copyOf(nodes);
        announcer.nodes().stream()
                .filter(node -> !present.contains(node))
                .toList()
                .forEach(this::forget);
    }

    private void happened(NodeState after, List<LedgerNotice> reported) {
        var node = after.node();
        for (var notice : reported) {
            notices.log(node, notice);
            NoticeLog.arrival(node, notice).ifPresent(arrived -> bus.publish(PlacementAddresses.DECISION, arrived));
        }
        if (after.isBlank()) {
            if (announcer.nodes().contains(node)) {
                announcer.changed(after);
            }
            forget(node);
            return;
        }
        meters.show(after);
        announcer.changed(after);
        referenceAgents.changed(after);
    }

    /** The node is gone, or another process owns its ledger now. */
    private void forget(String node) {
        meters.forget(node);
        notices.forget(node);
        announcer.forget(node);
        referenceAgents.forget(node);
    }

    /** The next tick tries again. */
    private void notTicked(Throwable lost) {
        LOG.atDebug().addKeyValue(LogKeys.ERROR, lost.toString()).log("The node ledgers could not be read.");
    }
}
