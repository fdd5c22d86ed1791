package io.sluice.simulation.model.placement;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.gangs.GangAction;
import io.sluice.placement.core.gangs.GangCollector;
import io.sluice.placement.core.gangs.GangKey;
import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangMember.End;
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
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.World;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Gangs that come and go, and the process that starts them by the real rules. It reads pods and nodes by lists, and may
 * end after any message: its successor touches all pods that wait, reads them again, and takes the holds over.
 */
final class GangPart {
    private static final int MEMBERS_MAX = 16;
    private static final long GANGS_APART = Seconds.of(30);
    private static final long PODS_WITHIN = Seconds.of(4);
    private static final long LIFE = Seconds.of(30);
    private static final long ENDS_WITHIN = Seconds.of(5);
    private static final long READS_EVERY = Seconds.of(1);
    private static final int ADOPTS_EVERY = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String UNBOUND = "";

    private final World world;
    private final PlacementPart placement;
    private final Clock clock;
    private final int most;
    private final Chance chance;
    private final List<ModelGang> gangs = new ArrayList<>();
    private Term term;
    private int made;

    /** @param most the most gangs at once */
    GangPart(World world, PlacementPart placement, Clock clock, int most) {
        this.world = world;
        this.placement = placement;
        this.clock = clock;
        this.most = most;
        chance = world.faults().chance("gangs");
        if (most > 0) {
            next();
            restart();
        }
    }

    List<ModelGang> gangs() {
        return gangs;
    }

    /** Another process begins. */
    void restart() {
        if (most > 0) {
            term = new Term();
            term.begin();
        }
    }

    private void next() {
        world.time().in(1 + chance.below(GANGS_APART), () -> {
            if (!world.faults().ceased()) {
                if (gangs.size() < most) {
                    create();
                }
                next();
            }
        });
    }

    private void create() {
        int min = 1 + chance.below(MEMBERS_MAX);
        var key = new GangKey(GangKey.Kind.X_K8S, "default", "gang-" + ++made);
        var gang = new ModelGang(new GangSpec(
                key,
                min,
                TIMEOUT,
                chance.oneIn(4) ? GangSpec.Mode.NON_STRICT : GangSpec.Mode.STRICT,
                GangSpec.MatchPolicy.values()[chance.below(GangSpec.MatchPolicy.values().length)],
                List.of(),
                Seconds.instant(world.time().now()),
                false,
                GangSpec.Source.NONE,
                Map.of()));
        gangs.add(gang);
        var amounts = new Resources(250L * (1 + chance.below(3)), (1L + chance.below(2)) << 30);
        int priority = chance.below(PlacementPart.PRIORITIES);
        for (int i = min + chance.below(3); i > 0; i--) {
            var pod = new ModelPod(
                    key.name() + "-" + i,
                    amounts,
                    FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L)),
                    priority,
                    clock.now());
            world.time().in(chance.below(PODS_WITHIN), () -> placement.comes(pod, gang));
        }
        if (chance.oneIn(4)) {
            world.time()
                    .in(
                            chance.below(LIFE),
                            () -> gang.members.stream().findAny().ifPresent(placement::ends));
        }
        world.time().in(PODS_WITHIN + LIFE / 2 + chance.below(LIFE), () -> end(gang));
    }

    private void end(ModelGang gang) {
        boolean well = chance.oneIn(2);
        for (var pod : List.copyOf(gang.members)) {
            world.time().in(chance.below(ENDS_WITHIN), () -> {
                if (well && pod.boundTo().isPresent()) {
                    gang.ended(pod, true);
                }
                placement.ends(pod);
            });
        }
        world.time().in(ENDS_WITHIN, () -> gangs.remove(gang));
    }

    /** A pod of a gang as a list shows it. */
    private record Listed(ModelPod pod, GangKey gang, PodSpec spec, PodToPlace toPlace, End end) {
        static Stream<Listed> of(ModelGang gang) {
            return Stream.concat(
                    gang.members.stream().map(pod -> of(pod, gang, End.NONE)),
                    gang.succeeded.stream().map(pod -> of(pod, gang, End.SUCCEEDED)));
        }

        private static Listed of(ModelPod pod, ModelGang gang, End end) {
            return new Listed(pod, gang.spec().key(), pod.spec(), pod.toPlace(), end);
        }

        String uid() {
            return pod.uid();
        }

        boolean waits() {
            return spec.node().isEmpty() && end == End.NONE;
        }

        GangMember member() {
            var id = spec.id();
            return new GangMember(
                    id.uid(),
                    id.namespace(),
                    id.name(),
                    gang,
                    spec.priority(),
                    end == End.NONE ? spec.node() : UNBOUND,
                    spec.terminating() && spec.node().isEmpty(),
                    end,
                    false);
        }
    }

    /** All at one time. */
    private record FullList(List<GangSpec> gangs, List<Listed> pods, Set<String> nodes) {}

    private FullList fullList() {
        return new FullList(
                gangs.stream().map(ModelGang::spec).toList(),
                gangs.stream().flatMap(Listed::of).toList(),
                Set.copyOf(world.nodeNames()));
    }

    /** One process, from its begin to its end. */
    private final class Term implements GangSurroundings {
        private final Gangs records = new Gangs();
        private final ClusterTable table = new ClusterTable();
        private final SchedulingRules rules = SchedulingRules.withLedger();
        private final RoomScore score = new ReservedShare(0.5, 0.8, 0);
        private final GangCollector collector = new GangCollector(records, table, rules, this);
        private final Map<String, Listed> pods = new LinkedHashMap<>();
        private final Map<String, Long> heldAt = new HashMap<>();
        private final Set<String> nodes = new HashSet<>();
        private int reads;

        @Override
        public Optional<PodToPlace> observed(String uid) {
            return waiting(uid).map(Listed::toPlace);
        }

        @Override
        public Optional<PodSpec> spec(String uid) {
            return waiting(uid).map(Listed::spec).filter(pod -> !pod.terminating());
        }

        private Optional<Listed> waiting(String uid) {
            return Optional.ofNullable(pods.get(uid)).filter(Listed::waits);
        }

        @Override
        public boolean bindsOnRequest(List<GangRecord> requested) {
            return false;
        }

        @Override
        public RoomScore score() {
            return score;
        }

        @Override
        public String unique() {
            return "u" + world.fresh();
        }

        private Instant now() {
            return clock.now();
        }

        /** What is done later is left out once another process has begun. */
        private void in(long nanos, Runnable then) {
            world.time().in(nanos, () -> {
                if (term == this) {
                    then.run();
                }
            });
        }

        /** A list, a touch of each pod on it that waits, and another list: no earlier bind takes effect any more. */
        void begin() {
            placement.api(GangPart.this::fullList, list -> {
                if (list.isEmpty()) {
                    in(READS_EVERY, this::begin);
                    return;
                }
                touch(list.get().pods().stream().filter(Listed::waits).toList());
            });
        }

        private void touch(List<Listed> left) {
            if (left.isEmpty()) {
                read();
                return;
            }
            var pod = left.getFirst().pod();
            placement.api(
                    pod::touch, found -> in(1, () -> touch(found.isEmpty() ? left : left.subList(1, left.size()))));
        }

        private void read() {
            placement.api(
                    GangPart.this::fullList,
                    list -> placement.snapshot(snapshot -> read(list, snapshot), () -> in(READS_EVERY, this::read)));
        }

        private void read(Optional<FullList> list, Snapshot snapshot) {
            list.ifPresent(this::apply);
            snapshot.nodes().stream()
                    .filter(view -> nodes.contains(view.node()))
                    .forEach(view -> {
                        table.observed(new NodeSpec(view.node(), Map.of(), List.of(), false, Map.of("pods", 1_000L)));
                        table.observed(NodeSnapshot.of(view));
                    });
            if (list.isPresent()) {
                if (reads++ % ADOPTS_EVERY == 0) {
                    act(collector.adopt(snapshot.nodes(), now()));
                }
                act(collector.look(now()));
                act(collector.keepRooms(now()));
                turn();
            }
            in(READS_EVERY, this::read);
        }

        private void apply(FullList list) {
            list.gangs().forEach(records::observed);
            var keys = list.gangs().stream().map(GangSpec::key).toList();
            List.copyOf(records.all()).stream()
                    .map(GangRecord::key)
                    .filter(key -> !keys.contains(key))
                    .forEach(records::specGone);
            List.copyOf(nodes).stream()
                    .filter(node -> !list.nodes().contains(node))
                    .forEach(node -> {
                        act(collector.nodeGone(node, now()));
                        table.nodeGone(node);
                    });
            nodes.clear();
            nodes.addAll(list.nodes());
            var there = list.pods().stream().map(Listed::uid).toList();
            List.copyOf(pods.keySet()).stream()
                    .filter(uid -> !there.contains(uid))
                    .forEach(this::gone);
            list.pods().forEach(this::observed);
        }

        private void gone(String uid) {
            pods.remove(uid);
            act(collector.gone(uid, now()));
            table.podGone(uid);
            records.memberGone(uid);
        }

        private void observed(Listed pod) {
            pods.put(pod.uid(), pod);
            if (pod.end() != End.NONE) {
                act(collector.gone(pod.uid(), now()));
                table.podGone(pod.uid());
            }
            records.observed(pod.member());
            if (pod.end() == End.NONE && !pod.waits()) {
                table.placed(pod.spec());
                act(collector.observedOn(pod.uid(), pod.spec().node(), now()));
            }
        }

        private void turn() {
            for (var next = collector.next(now()); next.isPresent(); next = collector.next(now())) {
                act(collector.begin(next.get(), now()));
            }
            List.copyOf(pods.values()).stream()
                    .filter(pod -> spec(pod.uid()).isPresent())
                    .filter(pod -> !collector.isUnderWay(pod.uid())
                            && table.pod(pod.uid()).isEmpty())
                    .forEach(this::alone);
        }

        /** A member that is held singly, or one that is placed like a pod without a gang. */
        private void alone(Listed pod) {
            var uid = pod.uid();
            if (!collector.waits(uid)) {
                if (records.binding(uid).isEmpty() && reads % ADOPTS_EVERY == 0) {
                    placement.place(pod.pod());
                }
                return;
            }
            if (records.of(uid).filter(gang -> gang.isDue(now())).isEmpty()) {
                return;
            }
            var member = new PendingPod(pod.spec(), pod.toPlace().charge());
            var fitting = rules.fitting(member, table);
            act(
                    fitting.isEmpty()
                            ? collector.noNode(uid, rules.reason(member, table), now())
                            : collector.holdSingly(
                                    member, table.name(SchedulingRules.best(member, table, fitting, score)), now()));
        }

        private void act(List<GangAction> actions) {
            actions.forEach(action -> {
                switch (action) {
                    case GangAction.Hold(var attempt) -> hold(attempt);
                    case GangAction.Bind(var attempt) -> bind(attempt);
                    case GangAction.Touch(var attempt) -> touch(attempt);
                    case GangAction.Release(var hold) -> placement.release(hold);
                    case GangAction.Keep(var request) -> keep(request);
                    case GangAction.Requeue _ -> {}
                    case GangAction.Happened happened -> happened(happened);
                }
            });
        }

        private void happened(GangAction.Happened happened) {
            if (world.journal().listens()) {
                world.report("gang " + happened);
            }
            if (happened.what() == GangAction.What.SATISFIED) {
                world.tally().gathered();
            } else if (happened.what() == GangAction.What.DEGRADED) {
                gangs.stream()
                        .filter(gang -> gang.spec().key().equals(happened.gang()))
                        .forEach(ModelGang::degraded);
            }
        }

        private void hold(PlacementAttempt attempt) {
            hold(attempt, reply -> act(collector.held(attempt, reply, now())));
        }

        private void hold(PlacementAttempt attempt, Consumer<Optional<HoldReply>> replied) {
            if (attempt.begin() instanceof PlacementAttempt.Hold(var hold)) {
                heldAt.put(attempt.pod().pod().uid(), world.time().now());
                placement.<HoldReply>ledger(
                        hold.node(),
                        new LedgerCommand.Hold(hold),
                        reply -> replied.accept(Optional.of(reply)),
                        () -> replied.accept(Optional.empty()));
            }
        }

        private void keep(KeepRoom request) {
            placement.<KeepReply>ledger(
                    request.room().node(),
                    new LedgerCommand.Keep(request),
                    reply -> {
                        collector.kept(request.room(), reply);
                        if (reply instanceof KeepReply.Kept) {
                            world.tally().keptForGang();
                        }
                    },
                    () -> {});
        }

        /** As {@code PodBinder} binds a member: its hold is repeated first. */
        private void bind(PlacementAttempt attempt) {
            hold(attempt, reply -> {
                switch (attempt.held(reply)) {
                    case PlacementAttempt.Bind(var bind) -> bind(attempt, bind);
                    case PlacementAttempt.End end -> act(collector.bound(attempt, end, now()));
                    case PlacementAttempt.Step other -> throw new IllegalStateException("no bind follows: " + other);
                }
            });
        }

        private void bind(PlacementAttempt attempt, BindPod request) {
            var uid = attempt.pod().pod().uid();
            var listed = pods.get(uid);
            if (listed == null) {
                return;
            }
            long since = heldAt.getOrDefault(uid, world.time().now());
            placement.api(() -> placement.bound(listed.pod(), request, since), reply -> {
                switch (attempt.bound(reply)) {
                    case PlacementAttempt.End end -> act(collector.bound(attempt, end, now()));
                    case PlacementAttempt.Step _ -> touch(attempt);
                }
            });
        }

        private void touch(PlacementAttempt attempt) {
            placement.<PodBinding>api(
                    () -> placement.touch(attempt.pod().pod().uid()),
                    found -> act(collector.bound(attempt, attempt.touched(found), now())));
        }
    }
}
