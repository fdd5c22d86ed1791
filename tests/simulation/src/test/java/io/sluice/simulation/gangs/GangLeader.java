package io.sluice.simulation.gangs;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.vm.BindPod;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.gangs.GangAction;
import io.sluice.placement.core.gangs.GangCollector;
import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangOptions;
import io.sluice.placement.core.gangs.GangRecord;
import io.sluice.placement.core.gangs.GangSpec;
import io.sluice.placement.core.gangs.GangSurroundings;
import io.sluice.placement.core.gangs.Gangs;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.NodeSpec;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.simulation.engine.Seconds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A process that starts gangs, and places pods alone that have none. It may end at any time. */
final class GangLeader implements GangSurroundings {
    private static final long LOOK_EVERY = Seconds.ofMillis(250);
    private static final int KEEPS_EVERY = 4;
    /** No multiple of a look: a pod that is tried alone just then would be passed over each time. */
    private static final long ADOPT_EVERY = Seconds.ofMillis(5_030);

    private static final long TIMEOUT = Seconds.of(2);
    private static final long MESSAGE_LATE = Seconds.ofMillis(20);
    private static final long FROZEN = Seconds.of(10);

    final Gangs gangs;
    final ClusterTable table = new ClusterTable();
    final GangCollector collector;
    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final GangWorld world;
    private final Map<String, PodObserved> pending = new LinkedHashMap<>();
    private final Map<String, Long> versions = new LinkedHashMap<>();
    private final RoomScore score = new ReservedShare(0.5, 0.8, 0);
    private final LeftOverHolds leftOver = new LeftOverHolds();
    private final Set<String> hidden = new HashSet<>();
    private boolean alive = true;
    private boolean leads;
    private int looks;

    GangLeader(GangWorld world) {
        this.world = world;
        gangs = new Gangs(GangOptions.DEFAULTS.binding(world.bindsAtOnce));
        collector = new GangCollector(gangs, table, rules, this);
    }

    @Override
    public Optional<PodToPlace> observed(String uid) {
        return Optional.ofNullable(pending.get(uid))
                .filter(pod -> !hidden.contains(uid))
                .map(pod -> new PodToPlace(pod, Overcommit.OFF));
    }

    @Override
    public Optional<PodSpec> spec(String uid) {
        return Optional.ofNullable(pending.get(uid)).map(GangLeader::spec);
    }

    @Override
    public boolean bindsOnRequest(List<GangRecord> records) {
        return false;
    }

    @Override
    public RoomScore score() {
        return score;
    }

    @Override
    public String unique() {
        return "u" + world.unique();
    }

    /** The sizes of these pods are not known to it. */
    void hide(String... uids) {
        hidden.addAll(List.of(uids));
    }

    /** The size of this pod is known from now on. */
    void show(String uid) {
        hidden.remove(uid);
        turn();
    }

    private static PodSpec spec(PodObserved pod) {
        var id = new PodSpec.PodId(pod.uid(), pod.namespace(), pod.name(), pod.version());
        return PodSpec.requesting(id, pod.priority(), Map.of()).on(pod.node());
    }

    /** Takes over: a list, a touch of each pod that waits, another list, and the holds that are left over. */
    void begin() {
        world.gangs.values().forEach(gangs::observed);
        world.nodes.keySet().forEach(node -> sums(LedgerView.summary(world.nodes.get(node), 0)));
        List.copyOf(world.pods.values()).stream()
                .filter(GangWorld.Pod::isPending)
                .forEach(pod -> world.touch(pod.uid));
        world.pods.values().forEach(pod -> observed(pod, pod.observed()));
        leads = true;
        world.journal("leader begins");
        if (world.mistake != GangWorld.Mistake.LEAVES_HOLDS) {
            act(collector.adopt(world.ledgers(), world.now()));
            adopt();
        }
        look();
        endLeftOver();
    }

    /** It ends, and its messages that are under way arrive all the same. */
    void die() {
        world.journal("leader ends");
        alive = false;
    }

    private void look() {
        if (alive) {
            act(collector.look(world.now()));
            if (world.keepsRoom && looks++ % KEEPS_EVERY == 0) {
                act(collector.keepRooms(world.now()));
            }
            turn();
            world.time.in(LOOK_EVERY, this::look);
        }
    }

    /** As all that is late, what it reads of the ledgers may be old when it comes. */
    private void adopt() {
        if (alive) {
            var ledgers = world.ledgers();
            world.time.in(world.faults.late(MESSAGE_LATE), () -> {
                if (alive) {
                    act(collector.adopt(ledgers, world.now()));
                }
            });
            world.time.in(ADOPT_EVERY, this::adopt);
        }
    }

    /** Holds of pods that are placed alone, as {@code PlacementVerticle} ends them. */
    private void endLeftOver() {
        if (alive) {
            leftOver.observed(world.ledgers(), world.now())
                    .forEach(attempt -> exchange(
                            late(),
                            () -> world.touch(attempt.pod().pod().uid()),
                            found -> attempt.touched(found).release().ifPresent(this::release)));
            world.time.in(ADOPT_EVERY, this::endLeftOver);
        }
    }

    void observed(GangSpec spec) {
        gangs.observed(spec);
        turn();
    }

    void observed(GangWorld.Pod pod, PodObserved observed) {
        if (!alive || versions.getOrDefault(pod.uid, 0L) >= observed.version() || !world.pods.containsKey(pod.uid)) {
            return;
        }
        versions.put(pod.uid, observed.version());
        gangs.observed(
                new GangMember(pod.uid, "ns", pod.uid, pod.gang, pod.priority, observed.node(), false, pod.end, false));
        if (observed.node().isEmpty() && pod.end == GangMember.End.NONE) {
            pending.put(pod.uid, observed);
        } else {
            pending.remove(pod.uid);
            table.placed(spec(observed));
            act(collector.observedOn(pod.uid, observed.node(), world.now()));
        }
        turn();
    }

    void ended(GangWorld.Pod pod) {
        if (!alive) {
            return;
        }
        pending.remove(pod.uid);
        versions.put(pod.uid, Long.MAX_VALUE);
        act(collector.gone(pod.uid, world.now()));
        table.podGone(pod.uid);
        if (pod.end == GangMember.End.NONE) {
            gangs.memberGone(pod.uid);
        } else {
            gangs.observed(
                    new GangMember(pod.uid, "ns", pod.uid, pod.gang, pod.priority, pod.node, false, pod.end, false));
        }
        turn();
    }

    void sums(NodeLedgerView sums) {
        if (world.nodes.containsKey(sums.node())) {
            table.observed(new NodeSpec(
                    sums.node(),
                    Map.of(),
                    List.of(),
                    false,
                    Map.of("pods", 1_000L, "cpu", 1_000_000L, "memory", 1L << 50)));
            table.observed(NodeSnapshot.of(sums));
        }
    }

    void nodeGone(String node) {
        act(collector.nodeGone(node, world.now()));
        table.nodeGone(node);
    }

    private void turn() {
        if (!alive || !leads) {
            return;
        }
        for (var next = collector.next(world.now()); next.isPresent(); next = collector.next(world.now())) {
            world.attemptedAt.add(world.time.now());
            act(collector.begin(next.get(), world.now()));
        }
        List.copyOf(pending.keySet()).forEach(this::placeAlone);
    }

    private void placeAlone(String uid) {
        boolean waits = collector.waits(uid);
        if (hidden.contains(uid)
                || collector.isUnderWay(uid)
                || table.pod(uid).isPresent()
                || !waits && gangs.binding(uid).isPresent()) {
            return;
        }
        if (waits && gangs.of(uid).filter(gang -> gang.isDue(world.now())).isEmpty()) {
            return;
        }
        var member = new PendingPod(
                spec(uid).orElseThrow(), observed(uid).orElseThrow().charge());
        var fitting = rules.fitting(member, table);
        if (fitting.isEmpty()) {
            act(waits ? collector.noNode(uid, rules.reason(member, table), world.now()) : List.of());
            return;
        }
        var node = table.name(SchedulingRules.best(member, table, fitting, score));
        if (waits) {
            act(collector.holdSingly(member, node, world.now()));
        } else {
            table.placed(member.spec().on(node));
            table.held(node, member.charge());
            alone(new PlacementAttempt(observed(uid).orElseThrow(), node, Optional.of("single-" + unique())));
        }
    }

    /** As {@code PodBinder} performs an attempt. */
    private void alone(PlacementAttempt attempt) {
        hold(attempt, reply -> alone(attempt, attempt.held(reply)));
    }

    private void alone(PlacementAttempt attempt, PlacementAttempt.Step step) {
        switch (step) {
            case PlacementAttempt.Bind _ -> bind(attempt, end -> alone(attempt, end));
            case PlacementAttempt.End end -> {
                end.release().ifPresent(this::release);
                if (end.outcome() != PlacementAttempt.Outcome.PLACED) {
                    table.podGone(attempt.pod().pod().uid());
                    table.freed(attempt.node(), attempt.pod().charge());
                }
            }
            case PlacementAttempt.Hold _, PlacementAttempt.Touch _ ->
                throw new IllegalStateException("not a step here");
        }
    }

    private void act(List<GangAction> actions) {
        actions.forEach(action -> {
            switch (action) {
                case GangAction.Hold(var attempt) ->
                    hold(attempt, reply -> {
                        if (world.mistake == GangWorld.Mistake.BINDS_EACH && reply.isPresent()) {
                            bind(attempt, end -> {});
                        }
                        act(collector.held(attempt, reply, world.now()));
                    });
                case GangAction.Bind(var attempt) ->
                    bindHeld(attempt, end -> act(collector.bound(attempt, end, world.now())));
                case GangAction.Touch(var attempt) ->
                    exchange(
                            late(),
                            () -> world.touch(attempt.pod().pod().uid()),
                            found -> act(collector.bound(attempt, attempt.touched(found), world.now())));
                case GangAction.Release(var hold) -> release(hold);
                case GangAction.Keep(var request) -> keep(request);
                case GangAction.Requeue _ -> {}
                case GangAction.Happened happened -> world.happened(happened);
            }
        });
    }

    private void hold(PlacementAttempt attempt, Consumer<Optional<HoldReply>> replied) {
        if (attempt.begin() instanceof PlacementAttempt.Hold(var hold)) {
            exchange(
                    world.faults.late(MESSAGE_LATE),
                    () -> world.nodes.containsKey(hold.node())
                            ? world.run(hold.node(), new LedgerCommand.Hold(hold))
                            : null,
                    replied);
        }
    }

    private void keep(KeepRoom request) {
        var room = request.room();
        exchange(
                world.faults.late(MESSAGE_LATE),
                () -> world.nodes.containsKey(room.node())
                        ? world.run(room.node(), new LedgerCommand.Keep(request))
                        : null,
                reply -> reply.ifPresent(it -> collector.kept(room, it)));
    }

    /** As {@code PodBinder} binds a member: its hold is repeated first. */
    private void bindHeld(PlacementAttempt attempt, Consumer<PlacementAttempt.End> ended) {
        if (world.mistake == GangWorld.Mistake.BINDS_UNREPEATED) {
            bind(attempt, ended);
            return;
        }
        hold(attempt, reply -> {
            switch (attempt.held(reply)) {
                case PlacementAttempt.Bind _ -> bind(attempt, ended);
                case PlacementAttempt.End end ->
                    ended.accept(PlacementAttempt.End.without(end.outcome(), end.reason()));
                case PlacementAttempt.Hold _, PlacementAttempt.Touch _ ->
                    throw new IllegalStateException("not a step here");
            }
        });
    }

    private void bind(PlacementAttempt attempt, Consumer<PlacementAttempt.End> ended) {
        var of = attempt.pod().pod();
        world.lostLedgers.sent(attempt);
        exchange(
                late(),
                () -> {
                    world.lostLedgers.arrived(attempt);
                    return world.bind(new BindPod(of.uid(), of.namespace(), of.name(), attempt.node(), of.version()));
                },
                reply -> {
                    switch (attempt.bound(reply)) {
                        case PlacementAttempt.End end -> ended.accept(end);
                        case PlacementAttempt.Step _ ->
                            exchange(
                                    late(), () -> world.touch(of.uid()), found -> ended.accept(attempt.touched(found)));
                    }
                });
    }

    private void release(ReleaseHold hold) {
        if (!world.faults.oneIn(20)) {
            world.time.in(world.faults.late(MESSAGE_LATE), () -> {
                if (world.nodes.containsKey(hold.node())) {
                    world.run(hold.node(), new LedgerCommand.Release(hold));
                }
            });
        }
    }

    /** How long a call to the API server takes; some are frozen on their way. */
    private long late() {
        return world.faults.late(world.faults.oneIn(20) ? FROZEN : MESSAGE_LATE);
    }

    /** A request that has its effect at some time; its reply is lost, or too late, at times. */
    private <A> void exchange(long late, Supplier<A> effect, Consumer<Optional<A>> replied) {
        boolean lost = late >= TIMEOUT || world.faults.oneIn(20);
        world.time.in(late, () -> {
            var reply = effect.get();
            if (!lost && alive) {
                replied.accept(Optional.ofNullable(reply));
            }
        });
        if (lost) {
            world.time.in(TIMEOUT, () -> {
                if (alive) {
                    replied.accept(Optional.empty());
                }
            });
        }
    }

    List<GangRecord> order() {
        var order = new ArrayList<>(gangs.all());
        order.sort((one, other) -> one.turn().compareTo(other.turn()));
        return order;
    }
}
