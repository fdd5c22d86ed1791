package io.sluice.placement;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.devices.GpuShare;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.placement.ListPendingPods;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.messages.placement.PreemptPods;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.placement.RoomWanted;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NearestNodes;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.PlacementAttempt.Outcome;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import io.sluice.shell.OnContext;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.shell.explain.PlacementReasons;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
    private static final Duration OBSERVED_WITHIN = Duration.ofSeconds(1);
    private static final Duration LEFT_OVER_EVERY = Duration.ofSeconds(5);
    private static final Duration LASTING_EVERY = Duration.ofMinutes(1);
    private static final Duration WAKE_EVERY = Duration.ofSeconds(1);
    private static final Duration USE_EVERY = Duration.ofSeconds(1);
    private static final Duration SNAPSHOT_EVERY = Duration.ofMinutes(1);
    private static final int CANDIDATES_MAX = 100;
    private static final int ROOM_WANTED_MAX = 100;
    private static final Duration KUBE_SCHEDULER_FIRST = Duration.ofSeconds(2);
    private static final int GANG_REQUESTS_MAX = 5;
    private static final PlaceReply NO_GANG = new PlaceReply.NotPlaced("");
    private static final String ALL_NODES = "";
    private static final String NEAREST = "nearest-grant";
    private static final String NOT_PENDING = "the pod was not observed as pending";

    private final PlacementConfig config;
    private final Shell shell;
    private final Assignment assignment;
    private final PlacementObservations observations;
    private final NodeTable nodes;
    private final PendingPods pods;
    private final LeftOverHolds leftOver = new LeftOverHolds();
    private final LogThrottle lasting;
    private final LogThrottle unread;
    private final Map<String, Promise<Void>> awaited = new HashMap<>();
    private final PlacementMetrics meters;
    private volatile Optional<OnContext> home = Optional.empty();
    private NodeRanking ranking;
    private boolean scoresByUse;
    private final boolean preempts;
    private final boolean gangs;
    private Bus bus;
    private PodBinder binder;

    public PlacementVerticle(PlacementConfig config, Shell shell) {
        this.shell = Objects.requireNonNull(shell, "shell");
        observations = new PlacementObservations(shell.clock(), new Observed());
        nodes = observations.nodes();
        pods = observations.pods();
        this.config = config;
        preempts = config.preemption();
        lasting = new LogThrottle(shell.clock(), LASTING_EVERY);
        unread = new LogThrottle(shell.clock(), LASTING_EVERY);
        gangs = config.gangs().enabled();
        assignment = new Assignment(shell.peers(), PART);
        meters = new PlacementMetrics(shell.meters(), pods::size);
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its addresses are not registered yet");
        bus = new Bus(vertx);
        binder = new PodBinder(bus, nodes::stateOf);
        home = Optional.of(new OnContext(context));
        score(config);
        return Future.all(listen()).onSuccess(listening -> {
            vertx.setPeriodic(LEFT_OVER_EVERY.toMillis(), timer -> endLeftOverHolds());
            vertx.setPeriodic(WAKE_EVERY.toMillis(), timer -> wake());
            vertx.setPeriodic(WAKE_EVERY.toMillis(), timer -> keepRooms());
            if (preempts) {
                vertx.setPeriodic(WAKE_EVERY.toMillis(), timer -> requestRoom());
            }
            vertx.setPeriodic(USE_EVERY.toMillis(), timer -> readUse());
            vertx.setPeriodic(SNAPSHOT_EVERY.toMillis(), timer -> observations.readNodes(bus));
            observations.readNodes(bus);
            bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
            shell.readiness().ready(PART);
        });
    }

    @Override
    public Future<Void> reload(PlacementConfig section) {
        return home.map(here -> here.<Void>call(() -> {
                    score(section);
                    return null;
                }))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("placement has not started yet")));
    }

    private void score(PlacementConfig section) {
        var score = observations.scoreBy(section, vertx, shell);
        ranking = new NodeRanking(section.plugins(score, observations.typical()));
        scoresByUse = score.byUse();
    }

    private List<Future<Void>> listen() {
        return List.of(
                bus.serve(PlacementAddresses.RANK, this::rank),
                bus.serve(PlacementAddresses.PREEMPT, this::preempt),
                bus.serve(PlacementAddresses.PLACE, this::place),
                bus.serve(PlacementAddresses.PENDING, this::pending),
                bus.serve(PlacementAddresses.NEAREST_GRANT, this::nearestGrant),
                bus.subscribe(PlacementAddresses.NOMINATED, rooms -> nodes.nominated(rooms, now())),
                observations.listen(bus));
    }

    /** What this entrance does with observations besides. */
    private final class Observed implements PlacementObservations.Listener {
        @Override
        public void waits(PodObserved pod, boolean taken) {
            if (!taken) {
                meters.dropped();
            }
            Optional.ofNullable(awaited.remove(pod.uid())).ifPresent(Promise::complete);
        }

        @Override
        public void waited(Duration time) {
            meters.placed(time);
        }

        @Override
        public void sums(NodeLedgerView sums) {}
    }

    private Future<NodeRanks> rank(RankNodes request) {
        return observed(request.uid()).compose(pod -> {
            if (pod.isEmpty()) {
                return Future.succeededFuture(new NodeRanks.PodNotPending());
            }
            return gangNode(pod.get(), request)
                    .compose(gang -> gang instanceof NodeRanks.Ranked(var ranks)
                            ? Future.succeededFuture(ranked(pod.get(), ranks))
                            : onlyNode(pod.get())
                                    .map(only ->
                                            ranked(pod.get(), ranking.rank(pod.get(), request.nodes(), nodes, only))));
        });
    }

    private NodeRanks ranked(PodToPlace pod, List<NodeRanks.NodeRank> ranks) {
        meters.ranked(ranks);
        explain(pod.pod(), ranks);
        return new NodeRanks.Ranked(ranks);
    }

    /** The node of a member of a gang; {@link NodeRanks.PodNotPending} for any other pod. */
    private Future<NodeRanks> gangNode(PodToPlace pod, RankNodes request) {
        return !gangs || pod.pod().migrationTarget()
                ? Future.succeededFuture(new NodeRanks.PodNotPending())
                : fromLeader(GANG_REQUESTS_MAX, () -> bus.request(PlacementAddresses.GANG_NODE, request));
    }

    /** One process starts gangs, and requests go to all in turn. */
    private static <A> Future<A> fromLeader(int most, Supplier<Future<A>> request) {
        return request.get().recover(lost -> most > 1 ? fromLeader(most - 1, request) : Future.failedFuture(lost));
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

    /** The room of a migration's target is held already. */
    private Future<NearestGrant> nearestGrant(PodGrantQuery query) {
        return pods.named(query.pod())
                .filter(pod -> !pod.pod().migrationTarget())
                .map(pod -> nearestGrant(pod, query))
                .orElseGet(() -> Future.succeededFuture(NearestGrant.UNKNOWN));
    }

    private Future<NearestGrant> nearestGrant(PodToPlace pod, PodGrantQuery query) {
        var ranks = ranking.rank(pod, nodes.names(), nodes, Optional.empty());
        var nearest = NearestNodes.of(ranks, pods.candidates(pod.pod().uid()), nodes.largest());
        var ofLedgers = nearest.stream()
                .map(node -> new PlacementAttempt(pod, node, Optional.of(NEAREST)).room())
                .map(hold -> bus.request(LedgerAddresses.NEAREST_GRANT, new GrantQuery.OfHold(hold, false)));
        var ofRules = bus.request(PlacementAddresses.EXCLUDED_ALONE, query);
        return Future.all(Stream.concat(ofLedgers, Stream.of(ofRules))
                        .map(reply -> reply.otherwise(NearestGrant.UNKNOWN))
                        .toList())
                .map(replies -> NearestGrant.ofAny(replies.list()));
    }

    private void explain(PodObserved pod, List<NodeRanks.NodeRank> ranks) {
        if (ranks.stream().anyMatch(NodeRanks.NodeRank::fits)) {
            pods.someNode(pod.uid());
            return;
        }
        var summary = PlacementReasons.of(ranks).summary();
        var reason = preempts || pod.priority() <= 0 ? summary : summary + "; " + PlacementConfig.NO_PREEMPTION;
        var requested = ranks.stream().map(NodeRanks.NodeRank::node).toList();
        if (pods.noNode(pod.uid(), reason, requested)) {
            decide(PlacementDecision.Kind.WAITS, new PlacePod(pod.uid(), pod.namespace(), pod.name(), ""), reason);
        }
    }

    private void decide(PlacementDecision.Kind kind, PlacePod pod, String reason) {
        binder.decided(new PlacementDecision(kind, pod.uid(), pod.namespace(), pod.name(), pod.node(), reason));
    }

    private void readUse() {
        if (scoresByUse) {
            observations.use();
        }
    }

    /** kube-scheduler tries a pod again when it changes; it does not notice that a ledger has room. */
    private void wake() {
        if (assignment.mine(PART)) {
            pods.toWake((pod, among) -> ranking.fitsSome(pod, nodes, among), now())
                    .forEach(pod -> {
                        meters.woken();
                        binder.touch(pod.touch());
                    });
        }
    }

    private void keepRooms() {
        observations.look();
        if (assignment.mine(PART)) {
            observations.keepRooms(bus, binder);
        }
    }

    /**
     * kube-scheduler does not evict pods where only the ledger is short; another one that it evicts is seen by then.
     */
    private void requestRoom() {
        var waiting = observations.longestWaiting().stream()
                .filter(pod -> pod.since().plus(KUBE_SCHEDULER_FIRST).isBefore(now()))
                .sorted(Comparator.<PendingPods.WithoutNode>comparingInt(
                                pod -> pod.pod().pod().priority())
                        .reversed())
                .limit(ROOM_WANTED_MAX)
                .map(pod -> pod.pod().pod().uid())
                .toList();
        if (!waiting.isEmpty()) {
            bus.publish(PlacementAddresses.ROOM_WANTED, new RoomWanted(waiting));
        }
    }

    /** The watch of the requester may be ahead of ours by a little. */
    private Future<Optional<PodToPlace>> observed(String uid) {
        if (pods.find(uid).isPresent() || awaited.size() >= PlacementObservations.PODS_MAX) {
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

    /** The ledgers with holds. Several need one request for all, as few requests may be under way at once. */
    private Future<List<NodeLedgerView>> withHolds() {
        var held = nodes.withHolds();
        return held.isEmpty()
                ? Future.succeededFuture(List.of())
                : bus.request(
                                LedgerAddresses.SNAPSHOT,
                                new SnapshotRequest(
                                        held.size() == 1 ? held.iterator().next() : ALL_NODES))
                        .map(Snapshot::nodes);
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
        return gangPlaced(pod, request)
                .compose(gang -> gang.map(Future::succeededFuture).orElseGet(() -> placeAlone(pod, request)));
    }

    /** How the bind of a member of a gang ended; empty for any other pod. */
    private Future<Optional<PlaceReply>> gangPlaced(PodToPlace pod, PlacePod request) {
        return !gangs || pod.pod().migrationTarget()
                ? Future.succeededFuture(Optional.empty())
                : fromLeader(GANG_REQUESTS_MAX, () -> bus.request(PlacementAddresses.GANG_PLACE, request))
                        .map(reply -> Optional.of(reply).filter(placed -> !NO_GANG.equals(placed)));
    }

    private Future<PlaceReply> placeAlone(PodToPlace pod, PlacePod request) {
        return onlyNode(pod).compose(only -> {
            if (only.filter(node -> !node.equals(request.node())).isPresent()) {
                var reason = "room for the pod is held on node " + only.get();
                return ended(request, PlacementAttempt.End.without(Outcome.HOLD_REFUSED, reason));
            }
            Optional<String> id = only.isPresent()
                    ? Optional.empty()
                    : Optional.of(UUID.randomUUID().toString());
            var attempt = new PlacementAttempt(pod, request.node(), id);
            return binder.perform(attempt, Optional::empty, shares -> held(request.node(), pod, shares))
                    .map(end -> {
                        meters.ended(end.outcome());
                        return end.reply();
                    });
        });
    }

    private void held(String node, PodToPlace pod, List<GpuShare> shares) {
        nodes.held(node, pod, shares);
        observations.placing(node, pod);
    }

    /** An attempt that cannot begin. */
    private Future<PlaceReply> ended(PlacePod request, PlacementAttempt.End end) {
        meters.ended(end.outcome());
        decide(PlacementDecision.Kind.NOT_PLACED, request, end.reason());
        return Future.succeededFuture(end.reply());
    }

    private void endLeftOverHolds() {
        if (!assignment.mine(PART) || nodes.withHolds().isEmpty()) {
            return;
        }
        withHolds()
                .onSuccess(ledgers -> leftOver.observed(ledgers, now()).forEach(this::endLeftOver))
                .onFailure(lost -> unread.happened(
                        1,
                        count -> LOG.atWarn()
                                .addKeyValue(LogKeys.ERROR, lost.toString())
                                .log("The ledgers could not be read for holds that are left over; trying again.")));
    }

    private void endLeftOver(PlacementAttempt attempt) {
        binder.touch(attempt.touch().request()).onSuccess(found -> {
            var end = attempt.touched(found);
            meters.leftOver(end.release().isPresent());
            end.release().ifPresent(binder::release);
            if (end.release().isPresent()) {
                log(attempt, end, "A hold was left over, and is released: its pod is not bound there.");
            } else {
                lasting.happened(1, count -> log(attempt, end, "A hold lasts long, and stays."));
            }
        });
    }

    private static void log(PlacementAttempt attempt, PlacementAttempt.End end, String text) {
        var pod = attempt.pod().pod();
        LOG.atWarn()
                .addKeyValue(LogKeys.POD, pod.namespace() + "/" + pod.name())
                .addKeyValue(LogKeys.NODE, attempt.node())
                .addKeyValue(LogKeys.REASON, end.reason())
                .log(text);
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
