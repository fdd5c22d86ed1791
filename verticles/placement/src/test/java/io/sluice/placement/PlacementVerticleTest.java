package io.sluice.placement;

import static io.sluice.placement.core.Given.cpus;
import static io.sluice.placement.core.Given.node;
import static io.sluice.placement.core.Given.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.placement.ListPendingPods;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PendingPodList.PendingPod;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.messages.placement.PreemptPods;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.Given;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.load.LoadPolicy;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Placement on a real bus, before a ledger and a driver that reply what a test sets. */
@ExtendWith(VertxExtension.class)
class PlacementVerticleTest {
    private static final PlacePod PLACE = new PlacePod("p", "ns", "p-name", "n1");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final List<Optional<Instant>> knownStates = new CopyOnWriteArrayList<>();
    private volatile Supplier<Future<HoldReply>> onHold =
            () -> Future.succeededFuture(new HoldReply.Held(HoldRoom.UNTIL_RELEASED));
    private volatile Supplier<Future<PodBinding>> onBind = () -> Future.succeededFuture(new PodBinding.Bound("n1"));
    private volatile Supplier<Future<PodBinding>> onTouch = () -> Future.succeededFuture(new PodBinding.Unbound());
    private volatile Snapshot ledger = new Snapshot(List.of(node("n1", 10, 7), node("n2", 10, 9)));
    private PlacementVerticle placement;
    private Bus bus;

    @BeforeEach
    void start(Vertx vertx) {
        bus = new Bus(vertx);
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        placement = new PlacementVerticle(PlacementConfig.DEFAULTS, shell);
        Future.all(List.of(
                        bus.serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(ledgers(request.node()))),
                        bus.serve(LedgerAddresses.HOLD, hold -> {
                            sent.add("hold " + hold.holder() + " on " + hold.node() + " " + hold.amounts());
                            knownStates.add(hold.knownState());
                            return onHold.get();
                        }),
                        bus.serve(
                                LedgerAddresses.RELEASE,
                                hold -> sent("release " + hold.holder()
                                        + (hold.attempt().isEmpty() ? " of none" : ""))),
                        bus.serve(VmAddresses.BIND_POD, bind -> {
                            sent.add("bind " + bind.uid() + " to " + bind.node() + " at version " + bind.version());
                            return onBind.get();
                        }),
                        bus.serve(VmAddresses.TOUCH_POD, touch -> {
                            sent.add("touch " + touch.uid());
                            return onTouch.get();
                        })))
                .compose(served -> vertx.deployVerticle(placement))
                .await();
        for (var each : ledger.nodes()) {
            bus.publish(LedgerAddresses.NODE_CHANGED, each);
        }
    }

    private Snapshot ledgers(String node) {
        return new Snapshot(ledger.nodes().stream()
                .filter(each -> node.isEmpty() || each.node().equals(node))
                .toList());
    }

    private Future<HoldReply> sent(String what) {
        sent.add(what);
        return Future.succeededFuture(new HoldReply.Released());
    }

    private PlaceReply place() {
        bus.publish(ClusterAddresses.POD_PENDING, pending("p", 2));
        rank("n1");
        return bus.request(PlacementAddresses.PLACE, PLACE).await();
    }

    private List<NodeRanks.NodeRank> rank(String... nodes) {
        var ranks = bus.request(PlacementAddresses.RANK, new RankNodes("p", "ns", "p-name", List.of(nodes)))
                .await();
        return ((NodeRanks.Ranked) ranks).nodes();
    }

    private double attempts(String outcome) {
        return meters.get("sluice.placement.attempts")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void holdsRoomBeforeItBinds() {
        assertThat(place()).isEqualTo(new PlaceReply.Placed());

        assertThat(sent).containsExactly("hold p on n1 " + cpus(2), "bind p to n1 at version 1");
        assertThat(attempts("placed")).isEqualTo(1);
    }

    /** kube-scheduler cannot evict for want of room in the ledger, so that the reason names what could. */
    @Test
    void namesThatPreemptionIsOffWhereAPodHasAPriority() {
        var waits = new CopyOnWriteArrayList<String>();
        bus.subscribe(PlacementAddresses.DECISION, decision -> waits.add(decision.reason()))
                .await();
        var pod = pending("p", 5);
        for (int priority = 0; priority < 2; priority++) {
            bus.publish(
                    ClusterAddresses.POD_PENDING,
                    new PodObserved("p", "ns", "p-name", "", "", 2 + priority, pod.amounts(), 0, "", priority));
            rank("n1");
        }
        var reason = "0/1 nodes: 1 short of CPU by 2 and memory by 8Gi or more in the ledger";
        await().untilAsserted(() -> assertThat(waits)
                .containsExactly(
                        reason,
                        reason + "; pods of lower priority are not evicted for it, as placement.preemption is off"));
    }

    /** A copy of the first request would hold nothing: its release may be lost with the state that it names. */
    @Test
    void requestsAHoldOnceMoreWhereTheLedgerHasLostTheStateThatIsKnownHere() {
        var known = Instant.ofEpochSecond(100);
        var present = Instant.ofEpochSecond(200);
        bus.publish(LedgerAddresses.NODE_CHANGED, Given.completed(node("n1", 10, 7), known));
        onHold = () -> Future.succeededFuture(
                knownStates.size() == 1
                        ? new HoldReply.StateReplaced(present)
                        : new HoldReply.Held(HoldRoom.UNTIL_RELEASED));

        assertThat(place()).isEqualTo(new PlaceReply.Placed());
        assertThat(knownStates).containsExactly(Optional.of(known), Optional.of(present));
        assertThat(sent).containsSequence("hold p on n1 " + cpus(2), "bind p to n1 at version 1");
    }

    @Test
    void bindsNothingThatTheLedgerRefuses() {
        onHold = () -> Future.succeededFuture(new HoldReply.NoRoom(cpus(1), cpus(9), cpus(10)));

        assertThat(place()).isEqualTo(new PlaceReply.NotPlaced("node n1 is short of CPU by 1 and memory by 4Gi"));
        assertThat(sent).containsExactly("hold p on n1 " + cpus(2));
    }

    @Test
    void releasesAHoldWithoutAReplyAndBindsNothing() {
        onHold = () -> Future.failedFuture("lost");

        assertThat(place()).isInstanceOf(PlaceReply.NotPlaced.class);
        assertThat(sent).containsExactly("hold p on n1 " + cpus(2), "release p");
    }

    @Test
    void releasesTheHoldOfABindThatWasRefused() {
        onBind = () -> Future.succeededFuture(new PodBinding.Refused("the Binding was answered 403"));

        assertThat(place()).isEqualTo(new PlaceReply.NotPlaced("the Binding was answered 403"));
        assertThat(sent).contains("release p");
    }

    @Test
    void releasesTheHoldOfABindWithoutAnAnswerOnceTheUnboundPodWasTouched() {
        onBind = () -> Future.failedFuture("lost");

        assertThat(place()).isInstanceOf(PlaceReply.NotPlaced.class);
        assertThat(sent)
                .containsExactly("hold p on n1 " + cpus(2), "bind p to n1 at version 1", "touch p", "release p");
    }

    @Test
    void keepsTheHoldOfABindInDoubtWhileThePodCannotBeTouched() {
        onBind = () -> Future.failedFuture("lost");
        onTouch = () -> Future.failedFuture("lost");

        assertThat(place()).isInstanceOf(PlaceReply.InDoubt.class);
        assertThat(sent).noneMatch(message -> message.startsWith("release"));
        assertThat(attempts("in_doubt")).isEqualTo(1);
    }

    @Test
    void measuresTheWaitOfAPodUntilItIsObservedAsBound() {
        bus.publish(ClusterAddresses.POD_PENDING, pending("p", 2));
        rank("n1");
        bus.publish(ClusterAddresses.POD_OBSERVED, new PodObserved("p", "ns", "p-name", "n1", "", 2, cpus(2), 0));

        assertThat(bus.request(PlacementAddresses.PLACE, PLACE).await()).isInstanceOf(PlaceReply.NotPlaced.class);
        assertThat(meters.get("sluice.placement.wait").timer().count()).isEqualTo(1);
    }

    @Test
    void aTargetOfAMigrationGoesOnlyWhereItsRoomIsHeldAndTakesThatHoldOver() {
        var holder = HoldRoom.forMigration("ns", "m");
        ledger = new Snapshot(List.of(node("n1", 10, 9, Given.hold(holder, 2, "a"))));
        ledger.nodes().forEach(each -> bus.publish(LedgerAddresses.NODE_CHANGED, each));
        bus.publish(ClusterAddresses.POD_PENDING, new PodObserved("p", "ns", "p-name", "", "vm", 1, cpus(2), 0, "m"));

        assertThat(rank("n1", "n2"))
                .extracting(NodeRanks.NodeRank::obstacle)
                .containsExactly(NodeRanks.Obstacle.NONE, NodeRanks.Obstacle.HELD_ELSEWHERE);
        assertThat(bus.request(PlacementAddresses.PLACE, PLACE).await()).isEqualTo(new PlaceReply.Placed());
        assertThat(sent).containsExactly("bind p to n1 at version 1");
    }

    /** More than requests for one ledger each may be under way at once. */
    @Test
    void aTargetOfAMigrationIsRankedWhereManyNodesHaveHolds() {
        ledger = new Snapshot(Stream.concat(
                        Stream.of(node("n1", 10, 9, Given.hold(HoldRoom.forMigration("ns", "m"), 2, "a"))),
                        IntStream.range(2, 150).mapToObj(i -> node("n" + i, 10, 1, Given.hold("p" + i, 1, "b" + i))))
                .toList());
        ledger.nodes().forEach(each -> bus.publish(LedgerAddresses.NODE_CHANGED, each));
        bus.publish(ClusterAddresses.POD_PENDING, new PodObserved("p", "ns", "p-name", "", "vm", 1, cpus(2), 0, "m"));

        assertThat(rank("n1", "n2"))
                .extracting(NodeRanks.NodeRank::obstacle)
                .containsExactly(NodeRanks.Obstacle.NONE, NodeRanks.Obstacle.HELD_ELSEWHERE);
    }

    @Test
    void findsWhereEvictionsMakeRoomInTheLedger() {
        ledger = new Snapshot(List.of(node("n1", 10, 9, Given.bound("v", 4)), node("n2", 10, 9, Given.bound("w", 1))));
        bus.publish(ClusterAddresses.POD_PENDING, pending("p", 4));
        var candidates =
                List.of(new PreemptPods.Candidate("n1", List.of("v")), new PreemptPods.Candidate("n2", List.of("w")));

        var ranks = bus.request(PlacementAddresses.PREEMPT, new PreemptPods("p", candidates))
                .await();

        assertThat(((NodeRanks.Ranked) ranks).nodes())
                .filteredOn(NodeRanks.NodeRank::fits)
                .extracting(NodeRanks.NodeRank::node)
                .containsExactly("n1");
    }

    @Test
    void waitsForAPodThatIsObservedALittleLater() {
        var tried = new AtomicInteger();
        // On a busy machine a pod may be observed too late; each attempt has another one.
        await().ignoreException(ReplyException.class).untilAsserted(() -> {
            var uid = "p" + tried.incrementAndGet();
            var ranked = bus.request(PlacementAddresses.RANK, new RankNodes(uid, "ns", uid, List.of("n1")));
            bus.publish(ClusterAddresses.POD_PENDING, pending(uid, 2));

            assertThat(ranked.await()).isInstanceOf(NodeRanks.Ranked.class);
        });
    }

    @Test
    void listsPodsThatWaitAndWhatEachNodeLacksForOne() {
        bus.publish(ClusterAddresses.POD_PENDING, pending("p", 2));
        rank("n1");

        var all = bus.request(PlacementAddresses.PENDING, new ListPendingPods("", 1))
                .await();
        assertThat(all.total()).isEqualTo(1);
        assertThat(all.pods()).extracting(PendingPod::label).containsExactly("ns/p-name");
        assertThat(all.pods().getFirst().nodes()).isEmpty();
        var one = bus.request(PlacementAddresses.PENDING, new ListPendingPods("ns/p-name", 1))
                .await();
        assertThat(one.pods().getFirst().charge()).isEqualTo(cpus(2));
        assertThat(one.pods().getFirst().nodes())
                .extracting(NodeRanks.NodeRank::node, NodeRanks.NodeRank::shortBy)
                .containsExactly(tuple("n1", Resources.NONE), tuple("n2", cpus(1)));
        assertThat(bus.request(PlacementAddresses.PENDING, new ListPendingPods("ns/q", 1))
                        .await())
                .isEqualTo(new PendingPodList(List.of(), 1));
    }

    /** n1 lacks 1 CPU of 5 and n2 4: both are asked, the nearer one first; the own scheduler names a taint. */
    @Test
    void namesWhatWouldLetANodeTakeAPod() {
        var requested = new ConcurrentLinkedQueue<GrantQuery>();
        bus.serve(LedgerAddresses.NEAREST_GRANT, query -> {
                    requested.add(query);
                    return Future.succeededFuture(new NearestGrant(
                            NearestGrant.Sufficiency.ANY,
                            List.of(GrantChange.more(
                                    GrantChange.Kind.ROOM, query.node(), cpus(1), FixedAmounts.NONE))));
                })
                .await();
        var tainted = GrantChange.of(GrantChange.Kind.TAINT_TOLERATED, "n3", "dedicated=db");
        bus.serve(
                        PlacementAddresses.EXCLUDED_ALONE,
                        query -> Future.succeededFuture(NearestGrant.ofAll(List.of(tainted))))
                .await();
        bus.publish(ClusterAddresses.POD_PENDING, pending("p", 5));
        rank("n1", "n2");

        var nearest = bus.request(PlacementAddresses.NEAREST_GRANT, new PodGrantQuery("ns/p-name"))
                .await();

        assertThat(nearest.sufficiency()).isEqualTo(NearestGrant.Sufficiency.ANY);
        assertThat(nearest.changes()).extracting(GrantChange::node).containsExactly("n1", "n2", "n3");
        assertThat(requested).allSatisfy(query -> {
            var hold = ((GrantQuery.OfHold) query).hold();
            assertThat(hold.holder()).isEqualTo("p");
            assertThat(hold.amounts()).isEqualTo(cpus(5));
        });
        assertThat(bus.request(PlacementAddresses.NEAREST_GRANT, new PodGrantQuery("ns/q"))
                        .await())
                .isEqualTo(NearestGrant.UNKNOWN);
    }

    /** 7 of the 10 CPUs of n1 are reserved for a VM that is idle. */
    @Test
    void scoresByWhatVmsUseOnceThePolicyIsChanged() {
        bus.publish(ClusterAddresses.POD_PENDING, pending("p", 2));
        placement
                .reload(new PlacementConfig(LoadPolicy.SPREAD, 0, 0, 0, "", false, false))
                .await();
        assertThat(rank("n1")).extracting(NodeRanks.NodeRank::score).containsExactly(10);

        var idle = new GoalBasis(
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(0.0),
                Optional.of(0.0),
                Optional.of(0.0),
                0,
                0);
        bus.publish(
                AgentAddresses.STATUS,
                new RunnerStatus(
                        new VmId("neonvm", "ns", "v", "uid"),
                        "n1",
                        "v-pod",
                        cpus(7),
                        Optional.empty(),
                        Optional.empty(),
                        Waiting.NOTHING,
                        Duration.ZERO,
                        idle,
                        "",
                        Optional.empty()));
        await().untilAsserted(() ->
                assertThat(rank("n1")).extracting(NodeRanks.NodeRank::score).containsExactly(80));
    }

    @Test
    void placesNoPodThatIsNotPending() {
        assertThat(bus.request(PlacementAddresses.RANK, new RankNodes("q", "ns", "q", List.of("n1")))
                        .await())
                .isEqualTo(new NodeRanks.PodNotPending());
        assertThat(bus.request(PlacementAddresses.PLACE, new PlacePod("q", "ns", "q", "n1"))
                        .await())
                .isInstanceOf(PlaceReply.NotPlaced.class);
        assertThat(sent).isEmpty();
    }
}
