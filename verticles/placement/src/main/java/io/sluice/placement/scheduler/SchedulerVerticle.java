package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.placement.RoomWanted;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.queue.SchedulingQueue;
import io.sluice.placement.core.queue.SchedulingView;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.scheduler.OwnSchedulerMetrics.Outcome;
import io.sluice.shell.LogKeys;
import io.sluice.shell.OnContext;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places the pods that name its scheduler: filters nodes by the rules of Kubernetes and the ledger, chooses the best,
 * and has the pod placed there. Where no node can take a pod, the pod's condition gets the reason. One process at a
 * time does so, since the ledger does not count host ports, affinity, spread and volumes.
 */
public final class SchedulerVerticle extends VerticleBase implements Reloadable<PlacementConfig> {
    /** The name by which it requests full lists of what scheduling reads. */
    public static final String PART = "scheduler";

    private static final Logger LOG = LoggerFactory.getLogger(SchedulerVerticle.class);
    private static final int PODS_MAX = 50_000;
    private static final int IN_FLIGHT_MAX = 200;
    private static final int NODES_TRIED_MAX = 5;
    private static final Duration TURN_MAX = Duration.ofMillis(20);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final Duration ROOMS_EVERY = Duration.ofSeconds(1);
    private static final Duration SNAPSHOT_EVERY = Duration.ofMinutes(1);

    /** So many reasons are formed and written in one look, 100 a second; those of other pods in later attempts. */
    private static final int REASONS_PER_LOOK = 20;

    private static final String ALL_NODES = "";

    private final String scheduler;
    private final Shell shell;
    private final Supplier<Optional<String>> missing;
    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final SchedulingRules withoutLedger = SchedulingRules.ofKubernetes();
    private final SchedulingView view;
    private final SchedulingQueue queue = new SchedulingQueue(PODS_MAX);
    private final PendingPods pending = new PendingPods(PODS_MAX);
    private final NodeTable ledger = new NodeTable();
    private final OwnSchedulerMetrics meters;
    private volatile Optional<OnContext> home = Optional.empty();
    private ReservedShare share;
    private final boolean preempts;
    private Bus bus;
    private Preemptor preemptor;
    private boolean begunInTerm;
    private boolean leads;
    private boolean turnIsDue;
    private int inFlight;
    private int reasons;

    /** @param missing why this process may not place pods now; empty while it may */
    public SchedulerVerticle(PlacementConfig config, Shell shell, Supplier<Optional<String>> missing) {
        this.scheduler = config.schedulerName();
        this.preempts = config.preemption();
        this.shell = Objects.requireNonNull(shell, "shell");
        this.missing = Objects.requireNonNull(missing, "missing");
        this.share = config.share();
        this.view = new SchedulingView(scheduler);
        this.meters = new OwnSchedulerMetrics(shell.meters(), queue::size, () -> leads ? 1 : 0);
    }

    /** One attempt to place a pod: the nodes that have refused it, and the last refusal. */
    private record Attempt(PodSpec pod, PodObserved observed, PendingPod weighed, BitSet refused, String refusal) {}

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        home = Optional.of(new OnContext(context));
        preemptor = new Preemptor(
                bus,
                view,
                meters,
                new Preemptor.Surroundings(
                        shell.clock(),
                        this::observed,
                        () -> leads && missing.get().isEmpty()));
        return Future.all(List.of(
                        bus.subscribe(ClusterAddresses.SCHEDULING, this::apply),
                        bus.subscribe(ClusterAddresses.POD_PENDING, pod -> pending.waits(pod, now())),
                        bus.subscribe(
                                ClusterAddresses.POD_OBSERVED,
                                pod -> pending.bound(pod, now()).ifPresent(meters::placed)),
                        bus.subscribe(ClusterAddresses.POD_GONE, pending::gone),
                        bus.subscribe(ClusterAddresses.VM_OBSERVED, pending::observed),
                        bus.subscribe(ClusterAddresses.VM_GONE, pending::gone),
                        bus.subscribe(ClusterAddresses.LISTED, fullList -> pending.listed()),
                        bus.subscribe(ClusterAddresses.NODE_GONE, gone -> ledger.gone(gone.node())),
                        bus.subscribe(LedgerAddresses.NODE_CHANGED, this::observed),
                        bus.subscribe(PlacementAddresses.ROOM_WANTED, this::makeRoom)))
                .onSuccess(listening -> {
                    vertx.setPeriodic(LOOK_EVERY.toMillis(), timer -> {
                        reasons = 0;
                        turn();
                    });
                    vertx.setPeriodic(ROOMS_EVERY.toMillis(), timer -> publishRooms());
                    vertx.setPeriodic(SNAPSHOT_EVERY.toMillis(), timer -> readLedger());
                    readLedger();
                    bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
                });
    }

    @Override
    public Future<Void> reload(PlacementConfig section) {
        return home.map(here -> here.<Void>call(() -> {
                    share = section.share();
                    return null;
                }))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("the scheduler has not started yet")));
    }

    private void observed(NodeLedgerView sums) {
        ledger.observed(sums);
        view.table().observed(NodeSnapshot.of(sums));
        queue.changed(now());
    }

    private void readLedger() {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(ALL_NODES))
                .onSuccess(snapshot -> {
                    snapshot.nodes().forEach(this::observed);
                    ledger.onlyThese(
                            snapshot.nodes().stream().map(NodeLedgerView::node).collect(Collectors.toSet()));
                })
                .onFailure(lost -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, lost.toString())
                        .log("The node ledgers could not be read."));
    }

    private void apply(SchedulingChange change) {
        if (change instanceof SchedulingChange.ListBegun) {
            begunInTerm = missing.get().isEmpty();
        }
        try {
            follow(change, view.apply(change));
        } catch (IllegalArgumentException unreadable) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, unreadable.getMessage())
                    .log("What scheduling reads of an object is invalid; the object is left out.");
        }
    }

    private void follow(SchedulingChange change, SchedulingView.Effect effect) {
        switch (effect) {
            case NONE -> {}
            case CHANGED -> changed(change);
            case LISTED -> listed();
            case INCOMPLETE -> bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
        }
    }

    private void changed(SchedulingChange change) {
        queue.changed(now());
        switch (change) {
            case SchedulingChange.Observed(var kind, var key, var _, var _, var _) -> {
                if (kind == SchedulingChange.Kind.POD) {
                    requeue(key);
                } else if (kind == SchedulingChange.Kind.NODE) {
                    ledger.find(key).ifPresent(view.table()::observed);
                }
            }
            case SchedulingChange.Gone(var kind, var key, var _) -> {
                if (kind == SchedulingChange.Kind.POD) {
                    queue.remove(key);
                    preemptor.ended(key);
                }
            }
            case SchedulingChange.ListBegun _, SchedulingChange.Listed _ -> {}
        }
        turnSoon();
    }

    private void requeue(String uid) {
        if (view.pending(uid).isEmpty()) {
            preemptor.ended(uid);
        }
        var pod = view.waiting(uid).filter(waiting -> waiting.gates().isEmpty() && !waiting.terminating());
        if (pod.isEmpty()) {
            queue.remove(uid);
        } else if (!queue.put(pod.get(), now())) {
            meters.ended(Outcome.DROPPED);
        }
    }

    private void listed() {
        queue.uids().stream().filter(uid -> view.waiting(uid).isEmpty()).forEach(queue::remove);
        preemptor.listed();
        if (begunInTerm && !leads) {
            leads = true;
            LOG.atInfo()
                    .addKeyValue(LogKeys.KIND, scheduler)
                    .log(
                            scheduler.isEmpty()
                                    ? "This process chooses which pods are evicted now."
                                    : "This process places the pods of its scheduler now.");
        }
        turnSoon();
    }

    /** Many changes cost one turn. */
    private void turnSoon() {
        if (!turnIsDue) {
            turnIsDue = true;
            vertx.setTimer(1, timer -> {
                turnIsDue = false;
                turn();
            });
        }
    }

    private void turn() {
        if (missing.get().isPresent()) {
            leads = false;
        }
        if (!leads) {
            return;
        }
        var end = now().plus(TURN_MAX);
        queue.look(now());
        while (inFlight < IN_FLIGHT_MAX) {
            if (now().isAfter(end)) {
                turnSoon();
                return;
            }
            var next = queue.take();
            if (next.isEmpty()) {
                return;
            }
            place(next.get());
        }
    }

    private void place(PodSpec pod) {
        // What an earlier attempt assumed, whose effect is certain by now.
        view.table().podGone(pod.uid());
        var observed = pending.find(pod.uid());
        if (observed.isEmpty()) {
            queue.waits(pod.uid(), now());
            return;
        }
        var attempt = new Attempt(
                pod, observed.get().pod(), new PendingPod(pod, observed.get().charge()), new BitSet(), "");
        if (attempt.observed().migrationTarget()) {
            placeTarget(attempt);
        } else {
            if (preempts) {
                preemptor.recall(attempt.weighed());
            }
            choose(attempt, rules.fitting(attempt.weighed(), view.table()));
        }
    }

    /** The target of a migration goes to the node on which room is held for it. */
    private void placeTarget(Attempt attempt) {
        var allowed = withoutLedger.fitting(attempt.weighed(), view.table());
        var names = allowed.stream().mapToObj(view.table()::name).toList();
        var pod = attempt.pod().id();
        inFlight++;
        bus.request(PlacementAddresses.RANK, new RankNodes(pod.uid(), pod.namespace(), pod.name(), names))
                .onComplete(ranked -> {
                    inFlight--;
                    var fitting = new BitSet();
                    if (ranked.succeeded() && ranked.result() instanceof NodeRanks.Ranked(var ranks)) {
                        for (int rank = 0, node = allowed.nextSetBit(0);
                                node >= 0;
                                node = allowed.nextSetBit(node + 1)) {
                            fitting.set(node, ranks.get(rank++).fits());
                        }
                    }
                    choose(attempt, fitting);
                });
    }

    private void choose(Attempt attempt, BitSet fitting) {
        fitting.andNot(attempt.refused());
        if (fitting.isEmpty()) {
            noNode(attempt);
            return;
        }
        var table = view.table();
        int best = table.nominations()
                .node(attempt.pod().uid())
                .map(table::known)
                .filter(nominated -> nominated.isPresent() && fitting.get(nominated.getAsInt()))
                .map(OptionalInt::getAsInt)
                .orElseGet(() -> SchedulingRules.best(attempt.weighed(), table, fitting, share));
        var node = table.name(best);
        table.placed(attempt.pod().on(node));
        table.held(node, attempt.weighed().charge());
        var pod = attempt.pod().id();
        if (missing.get().isPresent()) {
            undo(attempt, node);
            queue.waits(pod.uid(), now());
            return;
        }
        inFlight++;
        bus.request(PlacementAddresses.PLACE, new PlacePod(pod.uid(), pod.namespace(), pod.name(), node))
                .otherwise(lost -> new PlaceReply.InDoubt(lost.getMessage()))
                .onSuccess(reply -> {
                    inFlight--;
                    placed(attempt, best, node, reply);
                    turnSoon();
                });
    }

    /** Until the bound pod is observed, it is not tried again, and counts on its node. */
    private void placed(Attempt attempt, int number, String node, PlaceReply reply) {
        var uid = attempt.pod().uid();
        switch (reply) {
            case PlaceReply.Placed _ -> {
                meters.ended(Outcome.PLACED);
                queue.inDoubt(uid, now().plus(LeftOverHolds.LEFT_OVER_AFTER));
            }
            case PlaceReply.InDoubt _ -> {
                meters.ended(Outcome.IN_DOUBT);
                queue.inDoubt(uid, now().plus(LeftOverHolds.LEFT_OVER_AFTER));
            }
            case PlaceReply.NotPlaced(var reason) -> {
                meters.ended(Outcome.NOT_PLACED);
                undo(attempt, node);
                var refused = (BitSet) attempt.refused().clone();
                refused.set(number);
                if (refused.cardinality() < NODES_TRIED_MAX && view.waiting(uid).isPresent()) {
                    var next = new Attempt(attempt.pod(), attempt.observed(), attempt.weighed(), refused, reason);
                    choose(next, rules.fitting(next.weighed(), view.table()));
                } else {
                    queue.waits(uid, now());
                }
            }
        }
    }

    private void undo(Attempt attempt, String node) {
        view.table().podGone(attempt.pod().uid());
        ledger.find(node).ifPresent(view.table()::observed);
    }

    private void noNode(Attempt attempt) {
        meters.ended(Outcome.NO_NODE);
        var pod = attempt.pod().id();
        queue.waits(pod.uid(), now());
        if (preempts && attempt.refused().isEmpty() && !attempt.observed().migrationTarget()) {
            preemptor.attempt(attempt.weighed(), false);
        }
        // The nodes that fit have refused it: their ledgers have changed, and another look shows how.
        if (!attempt.refused().isEmpty() || reasons >= REASONS_PER_LOOK) {
            return;
        }
        reasons++;
        var reason = rules.reason(attempt.weighed(), view.table()) + aboutPreemption(attempt.pod());
        if (queue.isNew(pod.uid(), reason)) {
            report(new UnschedulablePod(pod.uid(), pod.namespace(), pod.name(), scheduler, reason));
        }
    }

    private String aboutPreemption(PodSpec pod) {
        if (!preempts) {
            return pod.priority() > 0 ? "; " + PlacementConfig.NO_PREEMPTION : "";
        }
        var explanation = preemptor.explanation(pod.uid());
        return explanation.isEmpty() ? "" : "; " + explanation;
    }

    /** kube-scheduler evicts nothing for pods that only the ledger is short of room for. */
    private void makeRoom(RoomWanted wanted) {
        if (!preempts || !leads || missing.get().isPresent()) {
            return;
        }
        for (var uid : wanted.pods()) {
            var spec = view.pending(uid).filter(pod -> !pod.terminating());
            var observed = pending.find(uid).filter(pod -> !pod.pod().migrationTarget());
            if (spec.isPresent() && observed.isPresent()) {
                preemptor.attempt(new PendingPod(spec.get(), observed.get().charge()), true);
            }
        }
    }

    private void publishRooms() {
        if (preempts && leads) {
            bus.publish(PlacementAddresses.NOMINATED, preemptor.rooms());
        }
    }

    private void report(UnschedulablePod pod) {
        bus.publish(
                PlacementAddresses.DECISION,
                new PlacementDecision(
                        PlacementDecision.Kind.WAITS, pod.uid(), pod.namespace(), pod.name(), "", pod.reason()));
        bus.request(VmAddresses.REPORT_UNSCHEDULABLE, pod)
                .otherwise(lost -> new PodBinding.InDoubt(lost.getMessage()))
                .onSuccess(written -> {
                    if (written instanceof PodBinding.InDoubt || written instanceof PodBinding.Refused) {
                        queue.notReported(pod.uid());
                        meters.ended(Outcome.NOT_REPORTED);
                    }
                });
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
