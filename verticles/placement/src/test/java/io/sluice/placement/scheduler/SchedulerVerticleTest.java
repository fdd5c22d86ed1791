package io.sluice.placement.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.messages.cluster.SchedulingChange.Observed;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.RoomWanted;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.Given;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.load.LoadPolicy;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The own scheduler on a real bus, before a ledger, a placement and a driver that reply what a test sets. */
@ExtendWith(VertxExtension.class)
class SchedulerVerticleTest {
    private static final PlacementConfig CONFIG = new PlacementConfig(LoadPolicy.RESERVED, 0.5, 0.8, 0, "own", true);
    private static final String PORT = ",\"hostPorts\":[{\"hostPort\":80}]";

    private final List<PlacePod> placed = new CopyOnWriteArrayList<>();
    private final List<UnschedulablePod> reported = new CopyOnWriteArrayList<>();
    private volatile Function<PlacePod, Future<PlaceReply>> onPlace =
            request -> Future.succeededFuture(new PlaceReply.Placed());
    private final List<String> evicted = new CopyOnWriteArrayList<>();
    private final List<String> nominated = new CopyOnWriteArrayList<>();
    private volatile EvictReply onEvict = new EvictReply.Evicted();
    private volatile Snapshot ledger = new Snapshot(List.of(Given.node("a", 10, 0), Given.node("b", 10, 2)));
    private volatile Optional<String> missing = Optional.empty();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Bus bus;

    @BeforeEach
    void start(Vertx vertx) {
        bus = new Bus(vertx);
        Future.all(List.of(
                        bus.serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(ledger)),
                        bus.serve(VmAddresses.EVICT_POD, eviction -> {
                            evicted.add(eviction.label() + " for "
                                    + eviction.preemptor().label());
                            return Future.succeededFuture(onEvict);
                        }),
                        bus.serve(VmAddresses.NOMINATE_NODE, nomination -> {
                            nominated.add(nomination.name() + " on " + nomination.node());
                            return Future.succeededFuture(new PodBinding.Unbound());
                        }),
                        bus.serve(PlacementAddresses.PLACE, request -> {
                            placed.add(request);
                            return onPlace.apply(request);
                        }),
                        bus.serve(VmAddresses.REPORT_UNSCHEDULABLE, report -> {
                            reported.add(report);
                            return Future.succeededFuture(new PodBinding.Unbound());
                        })))
                .await();
        deploy(vertx);
    }

    private void deploy(Vertx vertx) {
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        vertx.deployVerticle(new SchedulerVerticle(CONFIG, shell, () -> missing))
                .await();
    }

    private void publish(SchedulingChange... changes) {
        List.of(changes).forEach(change -> bus.publish(ClusterAddresses.SCHEDULING, change));
    }

    private void list(long number, Observed... objects) {
        publish(new SchedulingChange.ListBegun(number));
        publish(objects);
        publish(new SchedulingChange.Listed(number, objects.length));
    }

    private static Observed node(String name, long list) {
        return new Observed(
                Kind.NODE, name, 1, list, "{\"name\":\"" + name + "\",\"allocatable\":{\"cpu\":9000,\"pods\":9}}");
    }

    private Observed pod(String uid, String more, long version, long list) {
        bus.publish(
                ClusterAddresses.POD_PENDING,
                new PodObserved(uid, "ns", uid, "", "", version, new Resources(100, 100), 0));
        return new Observed(
                Kind.POD,
                uid,
                version,
                list,
                "{\"uid\":\"" + uid + "\",\"namespace\":\"ns\",\"name\":\"" + uid + "\",\"schedulerName\":\"own\""
                        + more + "}");
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    private List<String> decided() {
        return placed.stream().map(pod -> pod.uid() + " on " + pod.node()).toList();
    }

    @Test
    void placesPodsByPriorityOnceAFullListIsThere() {
        list(1, node("a", 1), node("b", 1), pod("low", "", 1, 1), pod("high", ",\"priority\":7", 1, 1));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("high on b", "low on b"));
    }

    @Test
    void countsWhatItHasPlacedBeforeThatIsObserved() {
        list(1, node("a", 1), node("b", 1), pod("one", PORT, 1, 1), pod("two", PORT, 1, 1), pod("three", PORT, 1, 1));
        await().untilAsserted(() -> assertThat(reported).hasSize(1));
        assertThat(placed).extracting(PlacePod::node).containsExactlyInAnyOrder("a", "b");
        assertThat(reported.getFirst().reason()).isEqualTo("0/2 nodes are available: 2 without a free host port");
    }

    @Test
    void placesNothingWithoutItsTermAndOnlyFromAListThatBeganInIt() {
        missing = Optional.of("the lease is held by another process");
        list(1, node("a", 1), pod("one", PORT, 1, 1));
        list(2, node("a", 2), pod("one", PORT, 1, 2));
        // The term begins, while the list that came before it lacks what the other process has placed.
        missing = Optional.empty();
        publish(pod("two", PORT, 2, 0));
        list(3, node("a", 3), pod("one", PORT + ",\"nodeName\":\"a\"", 5, 3), pod("two", PORT, 2, 3));
        await().untilAsserted(() ->
                assertThat(reported).extracting(UnschedulablePod::uid).containsExactly("two"));
        assertThat(placed).isEmpty();
    }

    @Test
    void stopsAtTheEndOfItsTerm() {
        list(1, node("a", 1), pod("one", "", 1, 1));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("one on a"));
        missing = Optional.of("the lease was taken");
        await().until(() -> gauge("sluice.scheduler.leads"), value -> value == 0);
        publish(pod("two", "", 1, 0));
        await().until(() -> gauge("sluice.scheduler.pods.waiting"), value -> value == 2);
        assertThat(placed).hasSize(1);
        missing = Optional.empty();
        list(3, node("a", 3), pod("one", "", 1, 3), pod("two", "", 1, 3), pod("three", ",\"priority\":9", 1, 3));
        await().untilAsserted(() -> assertThat(decided()).hasSize(3));
        assertThat(decided()).startsWith("one on a", "three on a");
    }

    @Test
    void takesTheNextNodeWhereOneIsRefused() {
        onPlace = request -> Future.succeededFuture(
                request.node().equals("b") ? new PlaceReply.NotPlaced("no room") : new PlaceReply.Placed());
        list(1, node("a", 1), node("b", 1), pod("one", "", 1, 1));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("one on b", "one on a"));
    }

    @Test
    void triesNoPodAgainBeforeItsBindIsOver() {
        onPlace = request -> Future.succeededFuture(
                request.uid().equals("doubt") ? new PlaceReply.InDoubt("no answer") : new PlaceReply.Placed());
        list(1, node("a", 1), node("b", 1), pod("doubt", PORT, 1, 1));
        await().untilAsserted(() -> assertThat(decided()).hasSize(1));
        publish(pod("other", PORT, 1, 0), pod("doubt", PORT, 2, 0));
        await().untilAsserted(() -> assertThat(placed).hasSize(2));
        assertThat(placed.get(1).uid()).isEqualTo("other");
        assertThat(placed.get(1).node()).isNotEqualTo(placed.getFirst().node());
    }

    @Test
    void reportsEachReasonOnce() {
        list(
                1,
                node("a", 1),
                pod("one", ",\"nodeSelector\":{\"disk\":\"ssd\"}", 1, 1),
                pod("gated", ",\"gates\":[\"x\"]", 1, 1));
        await().untilAsserted(() -> assertThat(reported).hasSize(1));
        publish(node("b", 0));
        await().untilAsserted(() -> assertThat(reported).hasSize(2));
        assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .containsExactly(
                        "0/1 nodes are available: 1 not allowed by the pod's node selector or affinity",
                        "0/2 nodes are available: 2 not allowed by the pod's node selector or affinity");
        assertThat(placed).isEmpty();
    }

    private static String requesting(int priority, int cpu, String more) {
        return ",\"priority\":" + priority + ",\"requests\":{\"cpu\":" + cpu + "}" + more;
    }

    private double count(String counter, String outcome) {
        return meters.get("sluice.scheduler." + counter)
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void evictsAPodOfLowerPriorityAndPlacesTheHigherOnceItIsGone() {
        list(
                1,
                node("a", 1),
                pod("low", requesting(1, 9_000, ",\"nodeName\":\"a\""), 1, 1),
                pod("high", requesting(7, 5_000, ""), 1, 1));
        await().untilAsserted(() -> assertThat(nominated).containsExactly("high on a"));
        assertThat(evicted).containsExactly("ns/low for ns/high");
        assertThat(count("preemptions", "evicted")).isEqualTo(1);
        assertThat(count("victims", "evicted")).isEqualTo(1);
        publish(pod("low", requesting(1, 9_000, ",\"nodeName\":\"a\",\"terminating\":true"), 2, 0));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .last()
                .asString()
                .contains("is being deleted on node a"));
        assertThat(placed).isEmpty();

        // The room is not for a pod of lower priority that comes first.
        publish(pod("middle", requesting(3, 5_000, ""), 3, 0));
        publish(new SchedulingChange.Gone(Kind.POD, "low", 4));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("high on a"));
        assertThat(evicted).as("nothing else was evicted").hasSize(1);
    }

    @Test
    void waitsWhereABudgetRefusesTheEvictionAndNamesIt() {
        onEvict = new EvictReply.RefusedByBudget("The disruption budget db needs 1 healthy pods");
        list(
                1,
                node("a", 1),
                pod("low-1", requesting(1, 5_000, ",\"nodeName\":\"a\""), 1, 1),
                pod("low-2", requesting(1, 4_000, ",\"nodeName\":\"a\""), 1, 1),
                pod("high", requesting(7, 9_000, ""), 1, 1));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .last()
                .asString()
                .endsWith("the eviction of ns/low-1 is refused: The disruption budget db needs 1 healthy pods"));
        assertThat(evicted).as("the other would end in vain").doesNotContain("ns/low-2 for ns/high");
        assertThat(nominated).isEmpty();
        assertThat(count("victims", "refused_by_budget")).isPositive();
        onEvict = new EvictReply.Evicted();
        await().untilAsserted(() -> assertThat(evicted).contains("ns/low-2 for ns/high"));
    }

    @Test
    void evictsNothingForAPodWithThePolicyNever() {
        list(
                1,
                node("a", 1),
                pod("low", requesting(1, 9_000, ",\"nodeName\":\"a\""), 1, 1),
                pod("high", requesting(7, 5_000, ",\"preemptionPolicy\":\"Never\""), 1, 1));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .last()
                .asString()
                .endsWith("; its preemption policy is Never"));
        assertThat(evicted).isEmpty();
        assertThat(count("preemptions", "not_eligible")).isPositive();
    }

    @Test
    void makesRoomInTheLedgerForAPodOfKubeSchedulerAndKeepsIt() {
        var published = new CopyOnWriteArrayList<KeptRooms>();
        bus.subscribe(PlacementAddresses.NOMINATED, published::add).await();
        ledger = new Snapshot(List.of(Given.node("a", 10, 10, Given.bound("low", 4), Given.bound("other", 6))));
        list(
                1,
                node("a", 1),
                pod("low", requesting(1, 100, ",\"nodeName\":\"a\""), 1, 1),
                pod("other", requesting(9, 100, ",\"nodeName\":\"a\""), 1, 1));
        bus.publish(
                ClusterAddresses.POD_PENDING,
                new PodObserved("high", "ns", "high", "", "", 1, Given.cpus(3), 0, "", 7));
        publish(new Observed(
                Kind.POD,
                "high",
                1,
                0,
                "{\"uid\":\"high\",\"namespace\":\"ns\",\"name\":\"high\",\"schedulerName\":\"kube\""
                        + requesting(7, 100, "") + "}"));
        await().untilAsserted(() -> {
            bus.publish(PlacementAddresses.ROOM_WANTED, new RoomWanted(List.of("unknown", "high")));
            assertThat(evicted).containsExactly("ns/low for ns/high");
        });
        var room = new KeptRooms.KeptRoom("a", "high", "ns/high", Given.cpus(3), 7);
        await().until(() -> published.contains(new KeptRooms(List.of(room))));
        assertThat(nominated).containsExactly("high on a");

        publish(new SchedulingChange.Gone(Kind.POD, "high", 5));
        await().until(() -> published.getLast().rooms().isEmpty());
    }

    @Test
    void requestsAnotherListWhereObjectsWereLost() {
        var requested = new CopyOnWriteArrayList<String>();
        bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> requested.add(request.by()))
                .await();
        publish(new SchedulingChange.ListBegun(1), node("a", 1), new SchedulingChange.Listed(1, 2));
        await().untilAsserted(() -> assertThat(requested).containsExactly(SchedulerVerticle.PART));
    }
}
