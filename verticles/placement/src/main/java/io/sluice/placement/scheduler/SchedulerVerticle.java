package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.VolumeChoice;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.PlacementObservations;
import io.sluice.placement.PodBinder;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.queue.SchedulingQueue;
import io.sluice.placement.core.queue.SchedulingView;
import io.sluice.placement.core.queue.TermStart;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.zones.AlignedZones;
import io.sluice.placement.scheduler.OwnSchedulerMetrics.Outcome;
import io.sluice.shell.LogKeys;
import io.sluice.shell.OnContext;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.shell.SoleTerm;
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
    private static final int IN_FLIGHT_MAX = 200;
    private static final int NODES_TRIED_MAX = 5;
    private static final Duration TURN_MAX = Duration.ofMillis(20);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final Duration ROOMS_EVERY = Duration.ofSeconds(1);

    private static final Duration LIST_WITHIN = Duration.ofSeconds(10);
    private static final Duration SNAPSHOT_EVERY = Duration.ofMinutes(1);

    /** So many reasons are formed and written in one look, 100 a second; those of other pods in later attempts. */
    private static final int REASONS_PER_LOOK = 20;

    private final PlacementConfig config;
    private final Shell shell;
    private final Supplier<SoleTerm> term;
    private final TermStart termStart = new TermStart();
    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final SchedulingRules withoutLedger = SchedulingRules.ofKubernetes();
    private final SchedulingView view;
    private final SchedulingQueue queue = new SchedulingQueue(PlacementObservations.PODS_MAX);
    private final PlacementObservations observations;
    private final PendingPods pending;
    private final NodeTable ledger;
    private final OwnSchedulerMetrics meters;
    private volatile Optional<OnContext> home = Optional.empty();
    private RoomScore score;
    private Bus bus;
    private PodBinder binder;
    private EarlierBinds earlier;
    private LeadingTerm leading;
    private Preemptor preemptor;
    private WaitReasons reports;
    private GangScheduler gangs;
    private boolean turnIsDue;
    private int inFlight;
    private int reasons;

    /** @param term whether this process may place pods now */
    public SchedulerVerticle(PlacementConfig config, Shell shell, Supplier<SoleTerm> term) {
        this.config = config;
        this.shell = Objects.requireNonNull(shell, "shell");
        this.term = Objects.requireNonNull(term, "term");
        this.observations = new PlacementObservations(shell.clock(), new Observed());
        this.pending = observations.pods();
        this.ledger = observations.nodes();
        this.view = new SchedulingView(
                config.schedulerName(), config.gangs().enabled(), config.gangs().options());
        this.meters = new OwnSchedulerMetrics(shell.meters(), queue::size, () -> termStart.leads() ? 1 : 0);
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        binder = new PodBinder(bus, ledger::stateOf);
        earlier = new EarlierBinds(vertx, bus, shell.clock(), this::touched);
        leading = new LeadingTerm(term, termStart, view, earlier, bus);
        reports = new WaitReasons(config.schedulerName(), bus, queue, meters);
        home = Optional.of(new OnContext(context));
        score(config);
        var around = new GangScheduler.Around(
                shell.clock(), pending::find, () -> score, this::requeue, this::turnSoon, reports::waitsForGang);
        preemptor = new Preemptor(
                bus, view, meters, new Preemptor.Surroundings(config, shell.clock(), observations, leading::leads));
        gangs = new GangScheduler(vertx, bus, binder, view, rules, around, preemptor, meters);
        return Future.all(List.of(
                        bus.subscribe(ClusterAddresses.SCHEDULING, this::apply),
                        bus.subscribe(PlacementAddresses.ROOM_WANTED, preemptor::makeRoom),
                        bus.serve(PlacementAddresses.EXCLUDED_ALONE, this::excludedAlone),
                        config.gangs().enabled() ? gangs.serve() : Future.succeededFuture(),
                        observations.listen(bus)))
                .onSuccess(listening -> {
                    vertx.setPeriodic(LOOK_EVERY.toMillis(), timer -> {
                        reasons = 0;
                        gangs.look();
                        turn();
                    });
                    vertx.setPeriodic(LIST_WITHIN.toMillis(), timer -> leading.listUnlessLeading());
                    vertx.setPeriodic(ROOMS_EVERY.toMillis(), timer -> keepRooms());
                    vertx.setPeriodic(SNAPSHOT_EVERY.toMillis(), timer -> observations.readNodes(bus));
                    observations.readNodes(bus);
                    bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
                });
    }

    @Override
    public Future<Void> reload(PlacementConfig section) {
        return home.map(here -> here.<Void>call(() -> {
                    score(section);
                    return null;
                }))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("the scheduler has not started yet")));
    }

    private void score(PlacementConfig section) {
        // Without a name it has no pods, and need not measure nodes.
        score = section.schedules()
                ? observations.scoreBy(section, vertx, shell)
                : section.score(observations.measured());
        view.table().excludeByUse(observations.byUse());
        view.table().scoreBy(section.devices().score(observations.typical()), new AlignedZones(section.zones()));
    }

    /** What this entrance does with observations besides. */
    private final class Observed implements PlacementObservations.Listener {
        @Override
        public void waits(PodObserved pod, boolean taken) {
            if (pod.migrationTarget()) {
                requeue(pod.uid());
            }
        }

        @Override
        public void waited(Duration time) {
            meters.placed(time);
        }

        @Override
        public void sums(NodeLedgerView sums) {
            view.table().observed(NodeSnapshot.of(sums));
            queue.changed(now());
        }
    }

    private void keepRooms() {
        observations.look();
        if (score.byUse()) {
            view.table().use(observations.use());
        }
        // Without a name it has no pods, and the rooms of kube-scheduler's are kept by the other entrance.
        if (config.schedules() && leading.leads()) {
            observations.keepRooms(bus, binder);
        }
        preemptor.publishRooms();
    }

    private void apply(SchedulingChange change) {
        if (change instanceof SchedulingChange.ListBegun) {
            leading.listBegun();
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
            case SchedulingChange.Observed(var kind, var key, var _, var _, var fields) -> {
                if (kind == SchedulingChange.Kind.POD) {
                    gangs.changed(key);
                    requeue(key);
                } else if (kind == SchedulingChange.Kind.NODE) {
                    ledger.find(key).ifPresent(view.table()::observed);
                    observations.annotated(key, SchedulingView.annotations(fields));
                }
            }
            case SchedulingChange.Gone(var kind, var key, var _) -> {
                if (kind == SchedulingChange.Kind.POD) {
                    queue.remove(key);
                    preemptor.ended(key);
                    gangs.gone(key);
                } else if (kind == SchedulingChange.Kind.NODE) {
                    gangs.nodeGone(key);
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
        if (pod.isEmpty() || gangs.takes(uid)) {
            queue.remove(uid);
        } else if (!queue.put(pod.get(), now())) {
            meters.ended(Outcome.DROPPED);
        }
    }

    private void listed() {
        queue.uids().stream().filter(uid -> view.waiting(uid).isEmpty()).forEach(queue::remove);
        preemptor.listed();
        if (leading.listed()) {
            if (config.gangs().enabled()) {
                gangs.begin(leading.missing());
            }
            LOG.atInfo()
                    .addKeyValue(LogKeys.KIND, config.schedulerName())
                    .log(
                            config.schedules()
                                    ? "This process places the pods of its scheduler now."
                                    : "This process chooses which pods are evicted now.");
        }
        turnSoon();
    }

    /** What a touch of a pod shows; a pod that is not bound is on no node any more. */
    private void touched(PodSpec pod, PodBinding found) {
        if (found instanceof PodBinding.Unbound || found instanceof PodBinding.Gone) {
            view.table().podGone(pod.uid());
        }
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
        if (!leading.leads()) {
            return;
        }
        var end = now().plus(TURN_MAX);
        queue.look(now());
        while (inFlight < IN_FLIGHT_MAX) {
            if (now().isAfter(end)) {
                turnSoon();
                return;
            }
            gangs.turn(queue.next(), end);
            var next = queue.take();
            if (next.isEmpty()) {
                return;
            }
            place(next.get());
        }
    }

    private void place(PodSpec pod) {
        if (gangs.takes(pod.uid())) {
            queue.remove(pod.uid());
            return;
        }
        if (view.table().pod(pod.uid()).isPresent() || earlier.isOpen(pod.uid())) {
            settle(pod);
            return;
        }
        var observed = pending.find(pod.uid());
        if (observed.isEmpty() || observed.get().pod().version() < pod.id().version()) {
            queue.waits(pod.uid(), now());
            return;
        }
        if (gangs.waits(pod.uid()) && !gangs.isDue(pod.uid())) {
            queue.waits(pod.uid(), now());
            return;
        }
        var attempt = new Attempt(pod, observed.get());
        if (attempt.observed().migrationTarget()) {
            placeTarget(attempt);
        } else {
            preemptor.recall(attempt.weighed());
            choose(attempt, rules.fitting(attempt.weighed(), view.table()));
        }
    }

    /** The bind of an earlier attempt may still take effect, however long ago it was sent, until the pod is touched. */
    private void settle(PodSpec pod) {
        inFlight++;
        earlier.touch(pod).onSuccess(found -> {
            inFlight--;
            if (view.table().pod(pod.uid()).isPresent()) {
                queue.inDoubt(pod.uid(), now().plus(LeftOverHolds.LEFT_OVER_AFTER));
            } else {
                queue.waits(pod.uid(), now());
            }
        });
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
        pending.someNode(attempt.pod().uid());
        var table = view.table();
        int best = table.nominations()
                .node(attempt.pod().uid())
                .map(table::known)
                .filter(nominated -> nominated.isPresent() && fitting.get(nominated.getAsInt()))
                .map(OptionalInt::getAsInt)
                .orElseGet(() -> SchedulingRules.best(attempt.weighed(), table, fitting, score));
        var node = table.name(best);
        if (table.awaitsVolumes(attempt.pod())) {
            chooseVolumes(attempt, best);
            return;
        }
        var uid = attempt.pod().uid();
        if (gangs.waits(uid)) {
            queue.remove(uid);
            gangs.holdSingly(attempt.weighed(), node);
            return;
        }
        table.placed(attempt.pod().on(node));
        table.held(node, attempt.weighed().charge());
        var found = pending.find(uid);
        if (!leading.leads() || found.isEmpty()) {
            undo(attempt, node);
            queue.waits(uid, now());
            return;
        }
        inFlight++;
        observations.placing(node, found.get());
        binder.perform(attempt.on(node, found.get()), leading.missing(), shares -> {})
                .onSuccess(end -> {
                    inFlight--;
                    placed(attempt, best, node, end.reply());
                    turnSoon();
                });
    }

    /**
     * Its claims together may find no volumes there. The pod is bound once the claims show their volumes; it is tried
     * again until then.
     */
    private void chooseVolumes(Attempt attempt, int node) {
        var pod = attempt.pod().id();
        var choices = view.table().volumesFor(attempt.pod(), node);
        if (choices.isEmpty()) {
            choose(attempt.without(node), rules.fitting(attempt.weighed(), view.table()));
            return;
        }
        var since = queue.awaitsVolumes(pod.uid(), now());
        if (!leading.leads()) {
            return;
        }
        view.table()
                .nominations()
                .awaitsVolumes(attempt.weighed().on(view.table().name(node)));
        reports.awaitsVolumes(pod, view.table().name(node), now().isAfter(since.plus(WaitReasons.VOLUMES_WITHIN)));
        choices.get()
                .forEach(choice -> bus.request(VmAddresses.CHOOSE_VOLUME, choice)
                        .otherwise(lost -> new VolumeChoice(lost.getMessage()))
                        .onSuccess(written -> LOG.atDebug()
                                .addKeyValue(LogKeys.POD, pod.namespace() + "/" + pod.name())
                                .addKeyValue(LogKeys.REASON, written.refusal())
                                .log("A volume was chosen for a claim.")));
    }

    /** Until the bound pod is observed, it is not tried again, and counts on its node. */
    private void placed(Attempt attempt, int number, String node, PlaceReply reply) {
        var uid = attempt.pod().uid();
        switch (reply) {
            case PlaceReply.Placed _, PlaceReply.InDoubt _ -> {
                meters.ended(reply instanceof PlaceReply.Placed ? Outcome.PLACED : Outcome.IN_DOUBT);
                queue.inDoubt(uid, now().plus(LeftOverHolds.LEFT_OVER_AFTER));
            }
            case PlaceReply.NotPlaced _ -> {
                meters.ended(Outcome.NOT_PLACED);
                undo(attempt, node);
                var next = attempt.without(number);
                if (next.refused().cardinality() < NODES_TRIED_MAX
                        && view.waiting(uid).isPresent()) {
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
        view.table().nominations().awaitsNoVolumes(pod.uid());
        if (gangs.waits(pod.uid())) {
            gangs.noNode(pod.uid(), rules.reason(attempt.weighed(), view.table()));
        } else if (attempt.refused().isEmpty() && !attempt.observed().migrationTarget()) {
            preemptor.attempt(attempt.weighed(), false);
        }
        // The nodes that fit have refused it: their ledgers have changed, and another look shows how.
        if (!attempt.refused().isEmpty() || reasons >= REASONS_PER_LOOK) {
            return;
        }
        reasons++;
        var reason = WaitReasons.of(attempt.weighed(), rules, view.table()) + preemptor.explanation(attempt.pod());
        reports.lacksRoom(attempt.weighed(), view.table(), reason, pending);
        reports.noNode(pod, reason);
    }

    private Future<NearestGrant> excludedAlone(PodGrantQuery query) {
        return Future.succeededFuture(pending.named(query.pod())
                .flatMap(found -> view.pending(found.pod().uid()).map(spec -> Attempt.weighed(spec, found)))
                .map(pod -> rules.excludedAlone(pod, view.table()))
                .orElse(NearestGrant.UNKNOWN));
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
