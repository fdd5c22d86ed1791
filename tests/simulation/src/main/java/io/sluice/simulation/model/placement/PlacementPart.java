package io.sluice.simulation.model.placement;

import io.sluice.devices.GpuRequest;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.KeptRoomRules;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.devices.FreeDevices;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.plugins.RoomOfOthers;
import io.sluice.placement.core.preemption.VictimChoice;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.spec.NodeSpec;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.zones.AlignedZones;
import io.sluice.placement.core.zones.ZoneScore;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.NodeObject;
import io.sluice.simulation.model.World;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The part that places pods: the real rules, and what its verticle does for them. Two processes may place the same pod
 * at once, with old sums of the nodes; each may crash after any message. Where no node can take a pod, pods of lower
 * priority are evicted, and end some time later.
 */
public final class PlacementPart {
    private static final long LEDGER_TIMEOUT = Seconds.of(1);
    private static final long SNAPSHOT_TIMEOUT = Seconds.of(2);

    /** The longest delay of a copy of a ledger request. */
    private static final long LATEST = Seconds.of(20);

    private static final long API_TIMEOUT = Seconds.of(12);

    /** A patcher may be frozen between a request and its call, for longer than any timeout. */
    private static final long FROZEN = Seconds.of(90);

    private static final long PODS_APART = Seconds.of(8);
    private static final long RETRY = Seconds.of(6);
    private static final long LIFE = Seconds.of(40);
    private static final long GRACE = Seconds.of(15);
    static final int PRIORITIES = 3;
    private static final int CANDIDATES_MAX = 10;
    private static final long LEFT_OVER_EVERY = Seconds.of(5);
    private static final long KEEP_EVERY = Seconds.of(1);

    private static final AlignedZones ZONES = new AlignedZones(ZoneScore.LEAST_ALLOCATED);

    private final World world;
    private final int podsMax;
    private final Chance chance;
    private final Chance preemption;
    private final Chance gpuChance;
    private final Clock clock;
    private final Link toLedger;
    private final Link fromLedger;
    private final Link roomToLedger;
    private final Link roomFromLedger;
    private final Link toApi;
    private final Link fromApi;
    private final NodeRanking ranking = new NodeRanking(List.of(
            new ReadyLedger(),
            new ReservedRoom(),
            new RoomOfOthers(),
            new FreeDevices(),
            ZONES,
            new ReservedShare(0.5, 0.8, 0)));

    /** Of a process that has not received which rooms are kept. */
    private final NodeRanking unaware = new NodeRanking(
            List.of(new ReadyLedger(), new ReservedRoom(), new FreeDevices(), new ReservedShare(0.5, 0.8, 0)));

    private final Chance rooms;
    private final List<ModelPod> pods = new ArrayList<>();
    private final GangPart gangs;
    private final Kubelets kubelets;
    private LeftOverHolds leftOver = new LeftOverHolds();
    private KeptRoomRules roomRules = new KeptRoomRules();
    private final Set<KeptRoom> kept = new HashSet<>();
    private long made;
    private int life;

    /**
     * @param podsMax the most pods at once that have no gang; with none nothing happens
     * @param gangsMax the most gangs at once
     */
    public PlacementPart(World world, int podsMax, int gangsMax) {
        this.world = world;
        this.podsMax = podsMax;
        chance = world.faults().chance("placement");
        preemption = world.faults().chance("preemption");
        gpuChance = world.faults().chance("gpus");
        rooms = world.faults().chance("kept rooms");
        clock = world.clock("placement");
        toLedger = world.faults().link("placement -> ledger", LATEST);
        fromLedger = world.bus().link("ledger's answer -> placement");
        roomToLedger = world.faults().link("kept room -> ledger", LATEST);
        roomFromLedger = world.bus().link("ledger's answer -> kept room");
        toApi = world.faults().link("placement -> api", FROZEN);
        fromApi = world.faults().link("api -> placement", FROZEN);
        kubelets = new Kubelets(world);
        if (podsMax > 0) {
            next();
            kubelets.begin();
            world.time().in(LEFT_OVER_EVERY, this::endLeftOverHolds);
            world.time().in(KEEP_EVERY, this::keepRooms);
        }
        gangs = new GangPart(world, this, clock, gangsMax);
    }

    /** All pods that have not ended. */
    public List<ModelPod> pods() {
        return pods;
    }

    /** All gangs whose pods have not all ended. */
    public List<ModelGang> gangs() {
        return gangs.gangs();
    }

    /** The pods that their kubelets refused although room was held for them. */
    public List<String> refused() {
        return kubelets.refused();
    }

    /** Ends all processes; others start at once and receive no reply to the earlier requests. */
    private void crash() {
        life++;
        clock.reset();
        leftOver = new LeftOverHolds();
        gangs.restart();
        roomRules = new KeptRoomRules();
        kept.clear();
        pods.forEach(pod -> pod.since = clock.now());
    }

    private void next() {
        world.time().in(1 + chance.below(PODS_APART), () -> {
            if (world.faults().ceased()) {
                return;
            }
            if (pods.stream().filter(pod -> pod.gang.isEmpty()).count() < podsMax) {
                var amounts = new Resources(250L * (1 + chance.below(12)), (1L + chance.below(10)) << 30);
                long devices = chance.oneIn(2) ? 1 : 0;
                var fixed = FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L, NodeObject.DEVICE, devices))
                        .plus(kubelets.request());
                var pod = new ModelPod("placed-" + ++made, amounts, fixed, preemption.below(PRIORITIES), clock.now());
                pod.requests(gpus());
                pods.add(pod);
                world.time().in(LIFE / 2 + chance.below(LIFE), () -> ends(pod));
                place(pod);
                if (chance.oneIn(3)) {
                    place(pod);
                }
            }
            if (chance.oneIn(4) && world.faults().happens(chance, chance.drawn(), "placement crashes")) {
                crash();
            }
            next();
        });
    }

    /** Nothing, a share that fits beside another one or not, or a whole GPU. */
    private List<GpuRequest> gpus() {
        return switch (gpuChance.below(4)) {
            case 0 ->
                List.of(new GpuRequest(
                        0,
                        "sim",
                        1,
                        GpuRequest.Amounts.share(200 + gpuChance.below(700), 10),
                        GpuRequest.Selector.ANY));
            case 1 ->
                List.of(new GpuRequest(
                        0, "sim", 1 + gpuChance.below(2), GpuRequest.Amounts.WHOLE, GpuRequest.Selector.ANY));
            default -> List.of();
        };
    }

    /** A pod of a gang is created. */
    void comes(ModelPod pod, ModelGang gang) {
        pod.gang = Optional.of(gang);
        gang.members.add(pod);
        pods.add(pod);
    }

    void ends(ModelPod pod) {
        if (!pod.there) {
            return;
        }
        pod.there = false;
        pods.remove(pod);
        pod.gang.ifPresent(gang -> gang.ended(pod, false));
        pod.node.ifPresent(node -> world.ends(pod));
    }

    /** The process that starts gangs tries their pods again itself. */
    private void again(ModelPod pod) {
        if (pod.gang.isEmpty()) {
            world.time().in(1 + chance.below(RETRY), () -> place(pod));
        }
    }

    /** An attempt, as kube-scheduler makes one: by sums that may be old. */
    void place(ModelPod pod) {
        if (!pod.there || pod.node.isPresent()) {
            return;
        }
        snapshot(
                snapshot -> {
                    var nodes = new NodeTable();
                    snapshot.nodes().forEach(nodes::observed);
                    var names =
                            snapshot.nodes().stream().map(node -> node.node()).toList();
                    var by = rooms.oneIn(2) ? ranking : unaware;
                    by.rank(pod.toPlace(), names, nodes, Optional.empty()).stream()
                            .filter(rank -> rank.fits())
                            .max(Comparator.comparingInt(rank -> rank.score()))
                            .ifPresentOrElse(best -> attempt(pod, best.node()), () -> {
                                pod.withoutNode = true;
                                preempt(pod, snapshot);
                                again(pod);
                            });
                },
                () -> again(pod));
    }

    /** The real choice of victims, by sums and pods that may be old when an eviction takes effect. */
    private void preempt(ModelPod pod, Snapshot snapshot) {
        var table = new ClusterTable();
        var charges = new HashMap<String, Resources>();
        for (var node : snapshot.nodes()) {
            table.observed(new NodeSpec(node.node(), Map.of(), List.of(), false, Map.of("pods", (long) podsMax)));
            table.observed(NodeSnapshot.of(node));
            node.reservations()
                    .forEach(reservation ->
                            charges.put(reservation.pod(), reservation.traits().charge()));
        }
        pods.stream()
                .filter(other -> other.boundTo().isPresent() && charges.containsKey(other.uid()))
                .forEach(other -> table.placed(other.spec()));
        var choice = new VictimChoice(table);
        var pending = new PendingPod(pod.spec(), pod.amounts());
        choice.choose(pending, List.of(), charges, choice.candidates(pending, false, 0, CANDIDATES_MAX))
                .ifPresent(victims ->
                        victims.toEvict().forEach(victim -> api(() -> evicted(victim.uid()), reply -> {})));
    }

    /** The effect of an Eviction at the API server: the pod takes its room until it is gone. */
    private PodBinding evicted(String uid) {
        pods.stream()
                .filter(pod -> pod.uid().equals(uid) && !pod.ending)
                .findFirst()
                .ifPresent(pod -> {
                    pod.ending = true;
                    world.tally().evicted();
                    world.time().in(1 + preemption.below(GRACE), () -> ends(pod));
                });
        return new PodBinding.Unbound();
    }

    private void attempt(ModelPod pod, String node) {
        var attempt = new PlacementAttempt(pod.toPlace(), node, Optional.of("attempt-" + world.fresh()));
        take(pod, attempt, attempt.begin());
    }

    private void take(ModelPod pod, PlacementAttempt attempt, PlacementAttempt.Step step) {
        switch (step) {
            case PlacementAttempt.Hold(var hold) -> {
                pod.requestedAt = world.time().now();
                this.<HoldReply>ledger(
                        hold.node(),
                        new LedgerCommand.Hold(hold),
                        reply -> take(pod, attempt, attempt.held(Optional.of(reply))),
                        () -> take(pod, attempt, attempt.held(Optional.empty())));
            }
            case PlacementAttempt.Bind(var bind) -> {
                long heldSince = pod.requestedAt;
                api(
                        () -> bound(pod, bind, heldSince),
                        binding -> take(pod, attempt, attempt.bound(binding)),
                        () -> again(pod));
            }
            case PlacementAttempt.Touch _ ->
                api(pod::touch, found -> take(pod, attempt, attempt.touched(found)), () -> again(pod));
            case PlacementAttempt.End end -> {
                end.release().ifPresent(this::release);
                again(pod);
            }
        }
    }

    /** The effect of a Binding at the API server. */
    PodBinding bound(ModelPod pod, BindPod bind, long heldSince) {
        if (!pod.there) {
            return new PodBinding.Gone();
        }
        if (pod.node.isPresent() || pod.changedSince(bind.version())) {
            return new PodBinding.InDoubt("conflict");
        }
        pod.version++;
        pod.gets(bind.gpus());
        pod.node = Optional.of(bind.node());
        pod.heldAt = heldSince;
        world.arrives(pod);
        kubelets.admits(pod, bind.node());
        return new PodBinding.Bound(bind.node());
    }

    /** The real choice of pods for which room is kept, by sums that may be old. */
    private void keepRooms() {
        world.time().in(KEEP_EVERY, this::keepRooms);
        snapshot(roomToLedger, roomFromLedger, this::keepRooms, () -> {});
    }

    private void keepRooms(Snapshot snapshot) {
        var nodes = new NodeTable();
        snapshot.nodes().forEach(nodes::observed);
        var waiting = pods.stream()
                .filter(pod -> pod.withoutNode && pod.node.isEmpty())
                .map(pod -> new PendingPods.WithoutNode(pod.toPlace(), pod.since, List.of()))
                .toList();
        var requests = roomRules.keep(waiting, nodes, clock.now());
        var rooms = requests.stream().map(KeepRoom::room).collect(Collectors.toSet());
        kept.stream().filter(room -> !rooms.contains(room)).map(KeepRoom::end).forEach(this::keep);
        kept.retainAll(rooms);
        requests.forEach(this::keep);
    }

    private void keep(KeepRoom request) {
        var room = request.room();
        this.<KeepReply>ledger(
                roomToLedger,
                roomFromLedger,
                room.node(),
                new LedgerCommand.Keep(request),
                reply -> {
                    roomRules.replied(room, reply);
                    if (reply instanceof KeepReply.Kept) {
                        kept.add(room);
                    }
                },
                () -> {});
    }

    void release(ReleaseHold hold) {
        this.<HoldReply>ledger(hold.node(), new LedgerCommand.Release(hold), reply -> {}, () -> {});
    }

    private void endLeftOverHolds() {
        world.time().in(LEFT_OVER_EVERY, this::endLeftOverHolds);
        snapshot(snapshot -> leftOver.observed(snapshot.nodes(), clock.now()).forEach(this::endLeftOver), () -> {});
    }

    private void endLeftOver(PlacementAttempt attempt) {
        api(
                () -> touch(attempt.pod().pod().uid()),
                found -> attempt.touched(found).release().ifPresent(this::release));
    }

    PodBinding touch(String uid) {
        return pods.stream()
                .filter(pod -> pod.uid().equals(uid))
                .findFirst()
                .map(ModelPod::touch)
                .orElseGet(PodBinding.Gone::new);
    }

    /**
     * A call to the API server.
     *
     * @param replied with nothing if there was no reply; never if the process that called has ended
     */
    <A> void api(Supplier<A> effect, Consumer<Optional<A>> replied) {
        api(effect, replied, () -> {});
    }

    /** @param ended runs instead if the process that called has ended */
    private <A> void api(Supplier<A> effect, Consumer<Optional<A>> replied, Runnable ended) {
        int mine = life;
        Consumer<Optional<A>> taken = reply -> {
            if (mine == life) {
                replied.accept(reply);
            } else {
                ended.run();
            }
        };
        world.bus()
                .<A>request(
                        toApi,
                        fromApi,
                        API_TIMEOUT,
                        answer -> answer.accept(effect.get()),
                        reply -> taken.accept(Optional.of(reply)),
                        () -> taken.accept(Optional.empty()));
    }

    void snapshot(Consumer<Snapshot> received, Runnable lost) {
        snapshot(toLedger, fromLedger, received, lost);
    }

    private void snapshot(Link to, Link from, Consumer<Snapshot> received, Runnable lost) {
        int mine = life;
        world.bus()
                .<Snapshot>request(
                        to,
                        from,
                        SNAPSHOT_TIMEOUT,
                        answer -> world.ledger().snapshot("", answer),
                        snapshot -> {
                            if (mine == life) {
                                received.accept(snapshot);
                            } else {
                                lost.run();
                            }
                        },
                        lost);
    }

    <A> void ledger(String node, LedgerCommand<A> command, Consumer<A> received, Runnable lost) {
        ledger(toLedger, fromLedger, node, command, received, lost);
    }

    private <A> void ledger(
            Link to, Link from, String node, LedgerCommand<A> command, Consumer<A> received, Runnable lost) {
        int mine = life;
        world.bus()
                .<A>request(
                        to,
                        from,
                        LEDGER_TIMEOUT,
                        answer -> world.ledger().serve(node, command, answer),
                        reply -> {
                            if (mine == life) {
                                received.accept(reply);
                            }
                        },
                        () -> {
                            if (mine == life) {
                                lost.run();
                            }
                        });
    }
}
