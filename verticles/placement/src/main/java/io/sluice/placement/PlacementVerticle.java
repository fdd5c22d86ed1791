package io.sluice.placement;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.ListPendingPods;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.ReadPod;
import io.sluice.placement.PlacementMetrics.Outcome;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.PlacementRules;
import io.sluice.placement.core.PlacementRules.HoldEnd;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.OnContext;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.shell.explain.PlacementReasons;
import io.sluice.shell.load.LiveUse;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ranks nodes for pending pods, and binds pods: it holds room in the ledger, requests the Binding, and releases the
 * hold if the pod was not bound. The observation of the bound pod ends the hold otherwise. Several processes may do so
 * at once, since the ledger decides on each hold. One of them ends holds that were left over. All of its configuration
 * can change while it runs.
 */
public final class PlacementVerticle extends VerticleBase implements Reloadable<PlacementConfig> {
    private static final String PART = "placement";
    private static final Logger LOG = LoggerFactory.getLogger(PlacementVerticle.class);
    private static final int PODS_MAX = 50_000;
    private static final Duration OBSERVED_WITHIN = Duration.ofSeconds(1);
    private static final Duration LEFT_OVER_EVERY = Duration.ofSeconds(5);
    private static final Duration WAKE_EVERY = Duration.ofSeconds(1);
    private static final Duration USE_EVERY = Duration.ofSeconds(1);
    private static final Duration SNAPSHOT_EVERY = Duration.ofMinutes(1);
    private static final String ALL_NODES = "";

    private final Shell shell;
    private final Assignment assignment;
    private final NodeTable nodes = new NodeTable();
    private final PendingPods pods = new PendingPods(PODS_MAX);
    private final LiveUse live = new LiveUse(PODS_MAX);
    private final LeftOverHolds leftOver = new LeftOverHolds();
    private final Map<String, Promise<Void>> awaited = new HashMap<>();
    private final PlacementMetrics meters;
    private volatile Optional<OnContext> home = Optional.empty();
    private NodeRanking ranking;
    private Bus bus;

    public PlacementVerticle(PlacementConfig config, Shell shell) {
        this.shell = Objects.requireNonNull(shell, "shell");
        ranking = new NodeRanking(config.plugins());
        assignment = new Assignment(shell.peers(), PART);
        meters = new PlacementMetrics(shell.meters(), pods::size);
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its addresses are not registered yet");
        bus = new Bus(vertx);
        home = Optional.of(new OnContext(context));
        return Future.all(listen()).onSuccess(listening -> {
            vertx.setPeriodic(LEFT_OVER_EVERY.toMillis(), timer -> endLeftOverHolds());
            vertx.setPeriodic(WAKE_EVERY.toMillis(), timer -> wake());
            vertx.setPeriodic(USE_EVERY.toMillis(), timer -> readUse());
            vertx.setPeriodic(SNAPSHOT_EVERY.toMillis(), timer -> readNodes());
            readNodes();
            bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
            shell.readiness().ready(PART);
        });
    }

    @Override
    public Future<Void> reload(PlacementConfig section) {
        return home.map(here -> here.<Void>call(() -> {
                    ranking = new NodeRanking(section.plugins());
                    return null;
                }))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("placement has not started yet")));
    }

    private List<Future<Void>> listen() {
        return List.of(
                bus.serve(PlacementAddresses.RANK, this::rank),
                bus.serve(PlacementAddresses.PLACE, this::place),
                bus.serve(PlacementAddresses.PENDING, this::pending),
                bus.subscribe(LedgerAddresses.NODE_CHANGED, nodes::observed),
                bus.subscribe(ClusterAddresses.NODE_GONE, gone -> nodes.gone(gone.node())),
                bus.subscribe(ClusterAddresses.POD_PENDING, this::waits),
                bus.subscribe(ClusterAddresses.POD_OBSERVED, pods::bound),
                bus.subscribe(ClusterAddresses.POD_GONE, this::gone),
                bus.subscribe(
                        AgentAddresses.STATUS,
                        status -> live.received(
                                status, pods.overcommitOf(status.vm().label()), now())),
                bus.subscribe(ClusterAddresses.VM_OBSERVED, pods::observed),
                bus.subscribe(ClusterAddresses.VM_GONE, pods::gone),
                bus.subscribe(ClusterAddresses.LISTED, fullList -> pods.listed()));
    }

    private void waits(PodObserved pod) {
        if (!pods.waits(pod, now())) {
            meters.dropped();
        }
        Optional.ofNullable(awaited.remove(pod.uid())).ifPresent(Promise::complete);
    }

    /** The next snapshot corrects what this one misses. */
    private void readNodes() {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(ALL_NODES))
                .onSuccess(snapshot -> {
                    snapshot.nodes().forEach(nodes::observed);
                    nodes.onlyThese(
                            snapshot.nodes().stream().map(NodeLedgerView::node).collect(Collectors.toSet()));
                })
                .onFailure(lost -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, lost.toString())
                        .log("The node ledgers could not be read."));
    }

    private Future<NodeRanks> rank(RankNodes request) {
        return observed(request.uid()).compose(pod -> {
            if (pod.isEmpty()) {
                return Future.succeededFuture(new NodeRanks.PodNotPending());
            }
            return onlyNode(pod.get()).map(only -> {
                var ranks = ranking.rank(pod.get(), request.nodes(), nodes, only);
                meters.ranked(ranks);
                explain(pod.get().pod(), ranks);
                return new NodeRanks.Ranked(ranks);
            });
        });
    }

    private Future<PendingPodList> pending(ListPendingPods request) {
        if (request.pod().isEmpty()) {
            var all = pods.oldest(request.most()).stream()
                    .map(pod -> pod.listed(List.of()))
                    .toList();
            return Future.succeededFuture(new PendingPodList(all, pods.size()));
        }
        return pods.named(request.pod())
                .map(pod ->
                        onlyNode(pod).map(only -> List.of(pod.listed(ranking.rank(pod, nodes.names(), nodes, only)))))
                .orElseGet(() -> Future.succeededFuture(List.of()))
                .map(found -> new PendingPodList(found, pods.size()));
    }

    private void explain(PodObserved pod, List<NodeRanks.NodeRank> ranks) {
        if (ranks.stream().anyMatch(NodeRanks.NodeRank::fits)) {
            pods.someNode(pod.uid());
            return;
        }
        var reason = PlacementReasons.of(ranks).summary();
        if (pods.noNode(pod.uid(), reason)) {
            decide(PlacementDecision.Kind.WAITS, new PlacePod(pod.uid(), pod.namespace(), pod.name(), ""), reason);
        }
    }

    private void decide(PlacementDecision.Kind kind, PlacePod pod, String reason) {
        bus.publish(
                PlacementAddresses.DECISION,
                new PlacementDecision(kind, pod.uid(), pod.namespace(), pod.name(), pod.node(), reason));
        LOG.atInfo()
                .addKeyValue(LogKeys.KIND, kind)
                .addKeyValue(LogKeys.POD, pod.namespace() + "/" + pod.name())
                .addKeyValue(LogKeys.NODE, pod.node())
                .addKeyValue(LogKeys.REASON, reason)
                .log("A decision about a pod that is to be placed.");
    }

    private void gone(PodGone end) {
        pods.gone(end);
        live.gone(end.uid());
    }

    private void readUse() {
        live.prune(now());
        nodes.use(live.byNode(now()));
    }

    /** kube-scheduler tries a pod again when it changes; it does not notice that a ledger has room. */
    private void wake() {
        if (assignment.mine(PART)) {
            pods.toWake(pod -> ranking.fitsSome(pod, nodes), now()).forEach(pod -> {
                meters.woken();
                bus.request(
                        VmAddresses.WAKE_POD,
                        new ReadPod(
                                pod.pod().uid(),
                                pod.pod().namespace(),
                                pod.pod().name()));
            });
        }
    }

    /** The watch of the requester may be ahead of ours by a little. */
    private Future<Optional<PodToPlace>> observed(String uid) {
        if (pods.find(uid).isPresent() || awaited.size() >= PODS_MAX) {
            return Future.succeededFuture(pods.find(uid));
        }
        var arrival = awaited.computeIfAbsent(uid, key -> {
            Promise<Void> promise = Promise.promise();
            long timer = vertx.setTimer(OBSERVED_WITHIN.toMillis(), late -> promise.tryComplete());
            promise.future().onComplete(come -> {
                vertx.cancelTimer(timer);
                awaited.remove(uid);
            });
            return promise;
        });
        return arrival.future().map(come -> pods.find(uid));
    }

    /** The node on which room for the pod is held already: of its migration, or of a bind whose effect is open. */
    private Future<Optional<String>> onlyNode(PodToPlace pod) {
        var binding = pods.bindingTo(pod.pod().uid(), now());
        if (binding.isPresent() || !pod.pod().migrationTarget()) {
            return Future.succeededFuture(binding);
        }
        return withHolds().map(ledgers -> PlacementRules.roomOfMigration(pod, ledgers));
    }

    private Future<List<NodeLedgerView>> withHolds() {
        return Future.all(nodes.withHolds().stream()
                        .map(node -> bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node)))
                        .toList())
                .map(read -> read.<Snapshot>list().stream()
                        .flatMap(snapshot -> snapshot.nodes().stream())
                        .toList());
    }

    private Future<PlaceReply> place(PlacePod request) {
        var pod = pods.find(request.uid());
        if (pod.isEmpty()) {
            return notPlaced(Outcome.NOT_PENDING, request, "the pod was not observed as pending");
        }
        return onlyNode(pod.get()).compose(only -> {
            if (only.filter(node -> !node.equals(request.node())).isPresent()) {
                return notPlaced(Outcome.HOLD_REFUSED, request, "room for the pod is held on node " + only.get());
            }
            // The target of a migration takes over the room that the migration holds.
            return pod.get().pod().migrationTarget() && only.isPresent()
                    ? bind(request, Optional.empty())
                    : hold(pod.get(), request);
        });
    }

    private Future<PlaceReply> hold(PodToPlace pod, PlacePod request) {
        var hold = PlacementRules.hold(pod, request.node(), UUID.randomUUID().toString());
        return bus.request(LedgerAddresses.HOLD, hold).transform(held -> {
            if (held.failed()) {
                // No bind was sent, so the room is free again, if it was held at all.
                end(HoldEnd.RELEASE, hold.node(), hold.holder(), hold.attempt());
                return notPlaced(
                        Outcome.HOLD_LOST,
                        request,
                        "the ledger did not reply: " + held.cause().getMessage());
            }
            return held(pod, request, hold, held.result());
        });
    }

    private Future<PlaceReply> held(PodToPlace pod, PlacePod request, HoldRoom hold, HoldReply reply) {
        var refusal = PlacementRules.refusal(reply, request.node());
        if (refusal.isEmpty()) {
            nodes.held(request.node(), pod.charge());
            return bind(request, Optional.of(hold.attempt()));
        }
        return reply instanceof HoldReply.OfAnother
                ? earlierBind(request, refusal.get())
                : notPlaced(Outcome.HOLD_REFUSED, request, refusal.get());
    }

    /** An earlier bind to the node may have had its effect without an answer. */
    private Future<PlaceReply> earlierBind(PlacePod request, String refusal) {
        return read(new ReadPod(request.uid(), request.namespace(), request.name()))
                .compose(found -> found.equals(new PodBinding.Bound(request.node()))
                        ? Future.succeededFuture(finished(request, found, Optional.empty()))
                        : notPlaced(Outcome.HOLD_REFUSED, request, refusal));
    }

    /** @param attempt of the hold; empty where the pod takes over the hold of its migration */
    private Future<PlaceReply> bind(PlacePod request, Optional<String> attempt) {
        pods.bindInDoubt(request.uid(), request.node(), now());
        var bind = new BindPod(request.uid(), request.namespace(), request.name(), request.node());
        return bus.request(VmAddresses.BIND_POD, bind)
                .otherwise(lost -> new PodBinding.InDoubt("the bind was not answered: " + lost.getMessage()))
                .map(binding -> finished(request, binding, attempt));
    }

    private PlaceReply finished(PlacePod request, PodBinding binding, Optional<String> attempt) {
        var placement = PlacementRules.bound(request, binding);
        if (placement.hold() != HoldEnd.KEEP) {
            pods.bindOver(request.uid());
        }
        attempt.ifPresent(of -> end(placement.hold(), request.node(), request.uid(), of));
        switch (placement.reply()) {
            case PlaceReply.Placed _ -> {
                meters.ended(Outcome.PLACED);
                pods.age(request.uid(), now()).ifPresent(meters::placed);
                decide(PlacementDecision.Kind.PLACED, request, "");
            }
            case PlaceReply.NotPlaced(var reason) -> {
                meters.ended(Outcome.NOT_BOUND);
                decide(PlacementDecision.Kind.NOT_PLACED, request, reason);
            }
            case PlaceReply.InDoubt(var reason) -> {
                meters.ended(Outcome.IN_DOUBT);
                decide(PlacementDecision.Kind.NOT_PLACED, request, "it is unknown whether it was bound: " + reason);
            }
        }
        return placement.reply();
    }

    private Future<PlaceReply> notPlaced(Outcome outcome, PlacePod request, String reason) {
        meters.ended(outcome);
        decide(PlacementDecision.Kind.NOT_PLACED, request, reason);
        return Future.succeededFuture(new PlaceReply.NotPlaced(reason));
    }

    /** A hold whose end does not reach the ledger is found as left over. */
    private void end(HoldEnd end, String node, String pod, String attempt) {
        switch (end) {
            case RELEASE -> bus.request(LedgerAddresses.RELEASE, new ReleaseHold(node, pod, attempt));
            case KEEP -> {}
        }
    }

    private void endLeftOverHolds() {
        if (!assignment.mine(PART) || nodes.withHolds().isEmpty()) {
            return;
        }
        withHolds().onSuccess(ledgers -> leftOver.observed(ledgers, now()).forEach(this::endLeftOver));
    }

    private void endLeftOver(LeftOverHolds.Hold hold) {
        read(hold.pod()).onSuccess(found -> {
            var end = PlacementRules.leftOver(hold.node(), found);
            meters.leftOverEnded(end);
            end(end, hold.node(), hold.pod().uid(), hold.attempt());
            if (end != HoldEnd.KEEP) {
                LOG.atWarn()
                        .addKeyValue(
                                LogKeys.POD,
                                hold.pod().namespace() + "/" + hold.pod().name())
                        .addKeyValue(LogKeys.NODE, hold.node())
                        .addKeyValue(LogKeys.KIND, end)
                        .log("A hold lasted longer than any bind, and was ended by a read of its pod.");
            }
        });
    }

    private Future<PodBinding> read(ReadPod pod) {
        return bus.request(VmAddresses.READ_POD, pod)
                .otherwise(lost -> new PodBinding.InDoubt("the pod was not read: " + lost.getMessage()));
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
