package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.vm.GangReported;
import io.sluice.placement.PodBinder;
import io.sluice.placement.core.gangs.GangAction;
import io.sluice.placement.core.gangs.GangAttempt;
import io.sluice.placement.core.gangs.GangCollector;
import io.sluice.placement.core.gangs.GangKey;
import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangRecord;
import io.sluice.placement.core.gangs.GangStates;
import io.sluice.placement.core.gangs.GangSurroundings;
import io.sluice.placement.core.gangs.Gangs;
import io.sluice.placement.core.gangs.QueueTurn;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.queue.SchedulingView;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts gangs while this process places pods: it performs what the collector decides, takes over the attempts of the
 * process before, and reports how far gangs are.
 */
final class GangScheduler implements GangSurroundings {
    private static final Logger LOG = LoggerFactory.getLogger(GangScheduler.class);
    private static final Duration ADOPT_EVERY = Duration.ofSeconds(5);
    private static final Duration KEEP_EVERY = Duration.ofSeconds(1);
    private static final Duration PUBLISH_EVERY = Duration.ofSeconds(5);
    private static final Duration REPORT_AGAIN_AFTER = Duration.ofSeconds(2);
    private static final int EXPLAINED_AT_ONCE = 20;
    private static final String ALL_NODES = "";

    private final Bus bus;
    private final PodBinder binder;
    private final SchedulingView view;
    private final Gangs gangs;
    private final SchedulingRules rules;
    private final Around around;
    private final Preemptor preemptor;
    private final OwnSchedulerMetrics meters;
    private final ExtenderGangs others;
    private final Map<GangKey, Instant> toReport = new HashMap<>();
    private final Set<String> toExplain = new LinkedHashSet<>();
    private final Map<String, String> explained = new HashMap<>();
    private final Set<String> toExplainAgain = new HashSet<>();
    private Optional<GangCollector> collector = Optional.empty();

    /** The one that takes over what the ledgers show, once they reply. */
    private Optional<GangCollector> adopting = Optional.empty();

    private Supplier<Optional<String>> missing = () -> Optional.of("no term has begun");

    private Instant adoptAt = Instant.MIN;
    private Instant keepAt = Instant.MIN;
    private Instant publishAt = Instant.MIN;

    /**
     * What belongs to the scheduler.
     *
     * @param observed a pod that waits, as the ledger counts it
     * @param requeue a pod is to be placed alone
     * @param changed something has changed, so that a turn is due
     * @param waits a pod waits for a reason; returns whether that was written
     */
    record Around(
            InstantSource clock,
            Function<String, Optional<PodToPlace>> observed,
            Supplier<RoomScore> score,
            Consumer<String> requeue,
            Runnable changed,
            BiFunction<PodSpec.PodId, String, Future<Boolean>> waits) {}

    GangScheduler(
            Vertx vertx,
            Bus bus,
            PodBinder binder,
            SchedulingView view,
            SchedulingRules rules,
            Around around,
            Preemptor preemptor,
            OwnSchedulerMetrics meters) {
        this.others = new ExtenderGangs(vertx, bus, view, this);
        this.bus = bus;
        this.binder = binder;
        this.view = view;
        this.gangs = view.gangs();
        this.rules = rules;
        this.around = around;
        this.preemptor = preemptor;
        this.meters = meters;
    }

    @Override
    public Optional<PodToPlace> observed(String uid) {
        return around.observed.apply(uid);
    }

    @Override
    public Optional<PodSpec> spec(String uid) {
        return view.pending(uid).filter(pod -> pod.gates().isEmpty() && !pod.terminating());
    }

    @Override
    public boolean bindsOnRequest(List<GangRecord> records) {
        return records.stream().anyMatch(others::owns);
    }

    /** Serves the entrance for kube-scheduler. */
    Future<Void> serve() {
        return Future.all(
                        bus.serve(PlacementAddresses.GANG_NODE, others::node),
                        bus.serve(PlacementAddresses.GANG_PLACE, others::place))
                .mapEmpty();
    }

    /** Whether this process starts gangs now. */
    boolean leads() {
        return collector().isPresent();
    }

    /** How far a pod is in its attempt; empty if it is in none. */
    Optional<GangAttempt.Held> held(String uid) {
        return collector().flatMap(of -> of.held(uid));
    }

    /** Whether it is not decided yet whether a pod's gang is held. */
    boolean isCollecting(String uid) {
        return collector()
                .filter(of -> of.attempts().stream()
                        .anyMatch(attempt -> attempt.phase() == GangAttempt.Phase.COLLECTING
                                && attempt.members().containsKey(uid)))
                .isPresent();
    }

    /** Holds room for all members of a gang, if it may be tried now. */
    void beginFor(GangRecord gang, String uid, BitSet nodes) {
        collector()
                .filter(of -> !of.collects() && !of.isUnderWay(gang.key()) && gang.isDue(now()))
                .ifPresent(of -> {
                    meters.gangTried();
                    act(of, of.beginFor(gang, uid, nodes, now()));
                    tried(of, gang);
                });
    }

    void request(String uid) {
        collector().ifPresent(of -> act(of, of.request(uid, now())));
    }

    void reject(String uid) {
        collector().ifPresent(of -> act(of, of.reject(uid, now())));
    }

    @Override
    public RoomScore score() {
        return around.score.get();
    }

    @Override
    public String unique() {
        return UUID.randomUUID().toString();
    }

    /** A term begins: the attempts of the process before are taken over before any gang is tried. */
    void begin(Supplier<Optional<String>> missingInTerm) {
        missing = missingInTerm;
        collector = Optional.empty();
        adopt(new GangCollector(gangs, view.table(), rules, this));
    }

    private void adopt(GangCollector of) {
        adoptAt = now().plus(ADOPT_EVERY);
        adopting = Optional.of(of);
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(ALL_NODES)).onSuccess(snapshot -> {
            if (missing.get().isEmpty()
                    && adopting.filter(latest -> latest == of).isPresent()) {
                collector = Optional.of(of);
                act(of, of.adopt(snapshot.nodes(), now()));
                around.changed.run();
            }
        });
    }

    /** A process that is in no term leaves its attempts to the next one. */
    private Optional<GangCollector> collector() {
        if (missing.get().isPresent()) {
            collector = Optional.empty();
            adopting = Optional.empty();
        }
        return collector;
    }

    /** Tries the gangs that come before a pod that is placed alone; all if there is none. */
    void turn(Optional<QueueTurn> before, Instant end) {
        collector().ifPresent(of -> {
            var next = of.next(now(), others::owns);
            while (next.isPresent() && !now().isAfter(end) && comesFirst(next.get(), before)) {
                meters.gangTried();
                act(of, of.begin(next.get(), now()));
                tried(of, next.get());
                next = of.next(now(), others::owns);
            }
        });
    }

    private void tried(GangCollector of, GangRecord gang) {
        if (gang.backoffUntil().isPresent()) {
            preemptor.attempt(gang, of.placeable(gang), score(), this::isUnderWay);
        }
    }

    private static boolean comesFirst(GangRecord gang, Optional<QueueTurn> pod) {
        return pod.filter(turn -> turn.compareTo(gang.turn()) < 0).isEmpty();
    }

    /** What waits for time alone. */
    void look() {
        collector().ifPresent(of -> {
            act(of, of.look(now()));
            if (!now().isBefore(keepAt)) {
                keepAt = now().plus(KEEP_EVERY);
                act(of, of.keepRooms(now()));
            }
            if (!now().isBefore(adoptAt)) {
                adopt(of);
            }
        });
        if (collector().isEmpty() && !now().isBefore(adoptAt)) {
            adopting.ifPresent(this::adopt);
        }
        if (collector.isPresent()) {
            report();
            explain(EXPLAINED_AT_ONCE);
        } else {
            meters.gangsWaiting(0);
        }
    }

    /** The target of a migration replaces a member that runs, on the node on which room is held for it. */
    boolean isReplacement(String uid) {
        return observed(uid).filter(pod -> pod.pod().migrationTarget()).isPresent();
    }

    /** Whether a pod is not to be placed alone, as its gang starts it or must not. */
    boolean takes(String uid) {
        if (isReplacement(uid)) {
            return false;
        }
        if (gangs.refusal(uid).isPresent()) {
            toExplain.add(uid);
            return true;
        }
        return collector().filter(of -> of.isUnderWay(uid)).isPresent()
                || gangs.binding(uid).isPresent() && !waits(uid);
    }

    /** Whether a pod is to be held singly, and waits for the others of its gang. */
    boolean waits(String uid) {
        return !isReplacement(uid) && collector().filter(of -> of.waits(uid)).isPresent();
    }

    /** Why a pod may not be held singly now; empty where it may. */
    boolean isDue(String uid) {
        return gangs.of(uid).filter(gang -> gang.isDue(now())).isPresent();
    }

    void holdSingly(PendingPod member, String node) {
        collector().ifPresent(of -> act(of, of.holdSingly(member, node, now())));
    }

    void noNode(String uid, String reason) {
        collector().ifPresent(of -> act(of, of.noNode(uid, reason, now())));
    }

    /** Applies what was observed of a pod. */
    void changed(String uid) {
        others.changed(uid);
        collector().ifPresent(of -> {
            if (view.pending(uid).isEmpty()) {
                var node = gangs.of(uid)
                        .flatMap(gang -> gang.member(uid))
                        .filter(GangMember::isBound)
                        .map(GangMember::node);
                act(of, node.map(on -> of.observedOn(uid, on, now())).orElseGet(() -> of.gone(uid, now())));
            }
        });
    }

    /** Applies the end of a pod. */
    void gone(String uid) {
        toExplain.remove(uid);
        explained.remove(uid);
        toExplainAgain.remove(uid);
        collector().ifPresent(of -> act(of, of.gone(uid, now())));
    }

    /** Applies the end of a node. */
    void nodeGone(String node) {
        collector().ifPresent(of -> act(of, of.nodeGone(node, now())));
    }

    private void act(GangCollector of, List<GangAction> actions) {
        actions.forEach(action -> act(of, action));
        if (!actions.isEmpty()) {
            gangs.changed().forEach(record -> record.members().forEach(member -> others.changed(member.uid())));
            around.changed.run();
        }
    }

    /** Once its term has ended, a process touches nothing that another one may have taken over. */
    private void act(GangCollector of, GangAction action) {
        if (collector().filter(now -> now == of).isEmpty()) {
            return;
        }
        switch (action) {
            case GangAction.Hold(var attempt) ->
                binder.hold(attempt).onSuccess(reply -> still(of, () -> act(of, of.held(attempt, reply, now()))));
            case GangAction.Bind(var attempt) ->
                binder.bindHeld(attempt, missing).onSuccess(end -> {
                    still(of, () -> act(of, of.bound(attempt, end, now())));
                    others.ended(attempt.pod().pod().uid(), end.reply());
                });
            case GangAction.Touch(var attempt) ->
                binder.touchHeld(attempt).onSuccess(end -> still(of, () -> act(of, of.bound(attempt, end, now()))));
            case GangAction.Release(var hold) -> binder.release(hold);
            case GangAction.Keep(var request) ->
                bus.request(LedgerAddresses.KEEP, request)
                        .onSuccess(reply -> still(of, () -> of.kept(request.room(), reply)));
            case GangAction.Requeue(var uid) -> around.requeue.accept(uid);
            case GangAction.Happened happened -> happened(happened);
        }
    }

    private void still(GangCollector of, Runnable then) {
        if (collector().filter(now -> now == of).isPresent()) {
            then.run();
        }
    }

    private void happened(GangAction.Happened happened) {
        meters.gangEnded(happened.what());
        LOG.atInfo()
                .addKeyValue(LogKeys.KIND, happened.what())
                .addKeyValue(LogKeys.KEY, happened.gang().label())
                .addKeyValue(LogKeys.REASON, happened.reason())
                .log("Something has happened to a gang.");
    }

    /** Members that are placed alone from now on, and the states that others see. */
    private void report() {
        boolean all = !now().isBefore(publishAt);
        if (all) {
            publishAt = now().plus(PUBLISH_EVERY);
            toExplainAgain.forEach(explained::remove);
            toExplain.addAll(toExplainAgain);
            toExplainAgain.clear();
        }
        gangs.takeChanged().forEach(record -> {
            record.members().stream()
                    .filter(member -> member.isPending() && !takes(member.uid()))
                    .forEach(member -> around.requeue.accept(member.uid()));
            record.members().forEach(member -> toExplain.add(member.uid()));
            if (others.owns(record) && (isUnderWay(record) || record.isDue(now()))) {
                others.wake(record, now());
            }
            toReport.put(record.key(), now());
            if (!all) {
                publish(record);
            }
        });
        if (all) {
            meters.gangsWaiting((int) gangs.all().stream()
                    .filter(record -> !record.waitReason().isEmpty())
                    .count());
            gangs.all().forEach(record -> {
                publish(record);
                if (others.owns(record) && (isUnderWay(record) || record.isDue(now()))) {
                    others.wake(record, now());
                }
            });
        }
        var due = toReport.entrySet().stream()
                .filter(report -> !now().isBefore(report.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(key -> {
            toReport.remove(key);
            gangs.find(key).ifPresent(this::write);
        });
    }

    /** The reasons of pods that wait with their gang, so many at a time. */
    private void explain(int most) {
        var due = toExplain.stream().limit(most).toList();
        due.forEach(uid -> {
            toExplain.remove(uid);
            var reason = reason(uid).orElse("");
            var pod = view.waiting(uid);
            if (pod.isEmpty() || reason.isEmpty()) {
                explained.remove(uid);
            } else if (!reason.equals(explained.put(uid, reason))) {
                around.waits.apply(pod.get().id(), reason).onSuccess(written -> explained(uid, written));
            }
        });
    }

    private void explained(String uid, boolean written) {
        if (!written && explained.containsKey(uid)) {
            toExplainAgain.add(uid);
        }
    }

    boolean isUnderWay(GangRecord record) {
        return collector.filter(of -> of.isUnderWay(record.key())).isPresent();
    }

    private GangState state(GangRecord record) {
        return GangStates.of(record, uid -> collector.flatMap(of -> of.held(uid)));
    }

    private void publish(GangRecord record) {
        bus.publish(PlacementAddresses.GANG, state(record));
    }

    private void write(GangRecord record) {
        var state = state(record);
        if (state.apiGroup().isEmpty() || state.uid().isEmpty()) {
            return;
        }
        bus.request(VmAddresses.REPORT_GANG, state)
                .otherwise(lost -> new GangReported(lost.getMessage()))
                .onSuccess(written -> {
                    if (!written.refusal().isEmpty()) {
                        LOG.atDebug()
                                .addKeyValue(LogKeys.KEY, state.label())
                                .addKeyValue(LogKeys.REASON, written.refusal())
                                .log("The status of a gang could not be written; trying again.");
                        gangs.find(record.key())
                                .ifPresent(known -> toReport.putIfAbsent(known.key(), now().plus(REPORT_AGAIN_AFTER)));
                    }
                });
    }

    /** Why a pod waits for its gang; empty where it does not. */
    Optional<String> reason(String uid) {
        return gangs.refusal(uid)
                .or(() -> gangs.binding(uid).map(GangRecord::waitReason).filter(reason -> !reason.isEmpty()));
    }

    private Instant now() {
        return around.clock.instant();
    }
}
