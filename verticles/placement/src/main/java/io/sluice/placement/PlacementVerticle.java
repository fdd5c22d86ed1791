package io.sluice.placement;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.bus.WorkerAddresses;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.ListPendingPods;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.PreemptPods;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.KeptRoomRules;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.PlacementAttempt.Outcome;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.OnContext;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.shell.explain.PlacementReasons;
import io.sluice.shell.load.LiveUse;
import io.sluice.units.WorkerNames;
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
    private static final Duration KEPT_MAX = Duration.ofSeconds(5);
    private static final int LONGEST_WAITING_MAX = 1_000;
    private static final int CANDIDATES_MAX = 100;
    private static final String ALL_NODES = "";
    private static final String NOT_PENDING = "the pod was not observed as pending";

    private final Shell shell;
    private final Assignment assignment;
    private final NodeTable nodes = new NodeTable();
    private final PendingPods pods = new PendingPods(PODS_MAX);
    private final LiveUse live = new LiveUse(PODS_MAX);
    private final KeptRoomRules keptRooms = new KeptRoomRules();
    private final LeftOverHolds leftOver = new LeftOverHolds();
    private final Map<String, Promise<Void>> awaited = new HashMap<>();
    private final PlacementMetrics meters;
    private volatile Optional<OnContext> home = Optional.empty();
    private NodeRanking ranking;
    private boolean scoresByUse;
    private List<KeptRooms.KeptRoom> kept = List.of();
    private Instant keptUntil = Instant.EPOCH;
    private Bus bus;

    public PlacementVerticle(PlacementConfig config, Shell shell) {
        this.shell = Objects.requireNonNull(shell, "shell");
        ranking = new NodeRanking(config.plugins());
        scoresByUse = config.scoresByUse();
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
            vertx.setPeriodic(WAKE_EVERY.toMillis(), timer -> keepRooms());
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
                    scoresByUse = section.scoresByUse();
                    return null;
                }))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("placement has not started yet")));
    }

    private List<Future<Void>> listen() {
        return List.of(
                bus.serve(PlacementAddresses.RANK, this::rank),
                bus.serve(PlacementAddresses.PREEMPT, this::preempt),
                bus.serve(PlacementAddresses.PLACE, this::place),
                bus.serve(PlacementAddresses.PENDING, this::pending),
                bus.subscribe(LedgerAddresses.NODE_CHANGED, nodes::observed),
                bus.subscribe(PlacementAddresses.KEPT, this::keep),
                bus.subscribe(ClusterAddresses.NODE_GONE, gone -> nodes.gone(gone.node())),
                bus.subscribe(ClusterAddresses.POD_PENDING, this::waits),
                bus.subscribe(ClusterAddresses.POD_OBSERVED, this::bound),
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

    private void bound(PodObserved pod) {
        pods.bound(pod, now()).ifPresent(meters::placed);
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
        var requested = ranks.stream().map(NodeRanks.NodeRank::node).toList();
        if (pods.noNode(pod.uid(), reason, requested)) {
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
        if (scoresByUse) {
            nodes.use(live.byNode(now()));
        }
    }

    /** kube-scheduler tries a pod again when it changes; it does not notice that a ledger has room. */
    private void wake() {
        if (assignment.mine(PART)) {
            pods.toWake((pod, among) -> ranking.fitsSome(pod, nodes, among), now())
                    .forEach(pod -> {
                        meters.woken();
                        touch(pod.touch());
                    });
        }
    }

    private void keepRooms() {
        if (keptUntil.isBefore(now())) {
            nodes.kept(List.of());
        }
        if (assignment.mine(PART)) {
            var rooms = keptRooms.keep(pods.withoutNode(LONGEST_WAITING_MAX), nodes, now());
            bus.publish(PlacementAddresses.KEPT, new KeptRooms(rooms));
            rooms.stream().filter(room -> !kept.contains(room)).forEach(this::announce);
            kept = rooms;
        }
    }

    private void announce(KeptRooms.KeptRoom room) {
        pods.find(room.uid())
                .map(PodToPlace::pod)
                .ifPresent(pod -> decide(
                        PlacementDecision.Kind.WAITS,
                        new PlacePod(pod.uid(), pod.namespace(), pod.name(), room.node()),
                        "room is kept for it on node " + room.node() + " for " + KeptRoomRules.KEPT_FOR.toSeconds()
                                + " s at most"));
    }

    private void keep(KeptRooms rooms) {
        keptUntil = now().plus(KEPT_MAX);
        nodes.kept(rooms.rooms());
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

    /** The node on which room is held for the migration that brings the pod; empty for any other pod. */
    private Future<Optional<String>> onlyNode(PodToPlace pod) {
        return pod.pod().migrationTarget()
                ? withHolds().map(pod::roomOfMigration)
                : Future.succeededFuture(Optional.empty());
    }

    private Future<List<NodeLedgerView>> withHolds() {
        return Future.all(nodes.withHolds().stream()
                        .map(node -> bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node)))
                        .toList())
                .map(read -> read.<Snapshot>list().stream()
                        .flatMap(snapshot -> snapshot.nodes().stream())
                        .toList());
    }

    /** The room of a migration's target is held already, so no eviction makes more of it. */
    private Future<NodeRanks> preempt(PreemptPods request) {
        return observed(request.uid())
                .compose(found -> found.filter(pod -> !pod.pod().migrationTarget())
                        .map(pod -> afterEvictions(pod, request.candidates()))
                        .orElseGet(() -> Future.succeededFuture(new NodeRanks.PodNotPending())));
    }

    private Future<NodeRanks> afterEvictions(PodToPlace pod, List<PreemptPods.Candidate> candidates) {
        return Future.all(candidates.stream()
                        .limit(CANDIDATES_MAX)
                        .map(candidate -> bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(candidate.node()))
                                .map(snapshot -> snapshot.nodes().stream()
                                        .map(ledger -> NodeSnapshot.without(candidate.victims(), ledger))
                                        .toList()))
                        .toList())
                .map(read -> new NodeRanks.Ranked(ranking.rank(
                        pod,
                        read.<List<NodeSnapshot>>list().stream()
                                .flatMap(List::stream)
                                .toList(),
                        nodes.largest())));
    }

    private Future<PlaceReply> place(PlacePod request) {
        var found = pods.find(request.uid());
        if (found.isEmpty()) {
            return ended(request, PlacementAttempt.End.without(Outcome.NOT_PENDING, NOT_PENDING));
        }
        var pod = found.get();
        return onlyNode(pod).compose(only -> {
            if (only.filter(node -> !node.equals(request.node())).isPresent()) {
                var reason = "room for the pod is held on node " + only.get();
                return ended(request, PlacementAttempt.End.without(Outcome.HOLD_REFUSED, reason));
            }
            Optional<String> id = only.isPresent()
                    ? Optional.empty()
                    : Optional.of(UUID.randomUUID().toString());
            var attempt = new PlacementAttempt(pod, request.node(), id);
            return take(request, attempt, attempt.begin());
        });
    }

    private Future<PlaceReply> take(PlacePod request, PlacementAttempt attempt, PlacementAttempt.Step step) {
        return switch (step) {
            case PlacementAttempt.Hold(var hold) ->
                answered(bus.request(LedgerAddresses.HOLD, hold)).compose(held -> {
                    var next = attempt.held(held);
                    if (next instanceof PlacementAttempt.Bind) {
                        nodes.held(request.node(), attempt.pod().charge());
                    }
                    return take(request, attempt, next);
                });
            case PlacementAttempt.Bind(var bind) ->
                answered(bind(bind)).compose(binding -> take(request, attempt, attempt.bound(binding)));
            case PlacementAttempt.Touch(var touch) ->
                answered(touch(touch)).compose(found -> ended(request, attempt.touched(found)));
            case PlacementAttempt.End end -> ended(request, end);
        };
    }

    /** Instances of workers have another driver than pods. */
    private Future<PodBinding> bind(BindPod bind) {
        return WorkerNames.isInstance(bind.uid())
                ? bus.request(WorkerAddresses.BIND, bind)
                : bus.request(VmAddresses.BIND_POD, bind);
    }

    private Future<PodBinding> touch(TouchPod touch) {
        return WorkerNames.isInstance(touch.uid())
                ? bus.request(WorkerAddresses.TOUCH, touch)
                : bus.request(VmAddresses.TOUCH_POD, touch);
    }

    /** The reply to a request; empty if there is none. */
    private static <A> Future<Optional<A>> answered(Future<A> request) {
        return request.map(Optional::of).otherwise(lost -> {
            LOG.atDebug().addKeyValue(LogKeys.ERROR, lost.toString()).log("A request had no reply.");
            return Optional.empty();
        });
    }

    private Future<PlaceReply> ended(PlacePod request, PlacementAttempt.End end) {
        meters.ended(end.outcome());
        end.release().ifPresent(this::release);
        decide(
                end.outcome() == Outcome.PLACED ? PlacementDecision.Kind.PLACED : PlacementDecision.Kind.NOT_PLACED,
                request,
                end.reason());
        return Future.succeededFuture(end.reply());
    }

    /** A hold whose release does not reach the ledger is found as left over. */
    private void release(ReleaseHold hold) {
        bus.request(LedgerAddresses.RELEASE, hold);
    }

    private void endLeftOverHolds() {
        if (!assignment.mine(PART) || nodes.withHolds().isEmpty()) {
            return;
        }
        withHolds().onSuccess(ledgers -> leftOver.observed(ledgers, now()).forEach(this::endLeftOver));
    }

    private void endLeftOver(LeftOverHolds.Hold hold) {
        answered(touch(hold.pod())).onSuccess(found -> {
            var release = found.flatMap(hold::release);
            meters.leftOver(release.isPresent());
            release.ifPresent(this::release);
            LOG.atWarn()
                    .addKeyValue(
                            LogKeys.POD,
                            hold.pod().namespace() + "/" + hold.pod().name())
                    .addKeyValue(LogKeys.NODE, hold.node())
                    .addKeyValue(LogKeys.KIND, found)
                    .log(
                            release.isPresent()
                                    ? "A hold was left over, and is released: its pod is not bound there."
                                    : "A hold lasts long, and stays.");
        });
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
