package io.sluice.placement.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.messages.cluster.SchedulingChange.Observed;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.vm.GangReported;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.GangsConfig;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.UtilisationConfig;
import io.sluice.placement.core.Given;
import io.sluice.placement.core.KeptRoomRules;
import io.sluice.placement.elastic.ElasticConfig;
import io.sluice.shell.load.LoadPolicy;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Gangs through the own scheduler on a real bus. */
class GangSchedulerTest extends SchedulerOnABus {
    private static final String MEMBER = ",\"labels\":{\"scheduling.x-k8s.io/pod-group\":\"g\"}";
    private final List<GangState> states = new CopyOnWriteArrayList<>();
    private final List<GangState> written = new CopyOnWriteArrayList<>();

    @Override
    void deploy(Vertx vertx, PlacementConfig config) {
        var on = GangsConfig.of(true);
        var gangs = new GangsConfig(
                true, on.timeout(), on.backoff(), on.backoffMax(), on.rejectPercentage(), on.matchPolicy(), true);
        super.deploy(
                vertx,
                new PlacementConfig(
                        LoadPolicy.RESERVED,
                        0.5,
                        0.8,
                        0,
                        "own",
                        true,
                        gangs,
                        UtilisationConfig.DEFAULTS,
                        ElasticConfig.DEFAULTS,
                        PlacementConfig.DEFAULTS.devices(),
                        PlacementConfig.DEFAULTS.zones()));
    }

    @BeforeEach
    void listen() {
        Future.all(bus.subscribe(PlacementAddresses.GANG, states::add), bus.serve(VmAddresses.REPORT_GANG, state -> {
                    written.add(state);
                    return Future.succeededFuture(new GangReported(""));
                }))
                .await();
    }

    private static Observed group(int minMember, long version, long list) {
        return group("g", minMember, version, list);
    }

    private static Observed group(String name, int minMember, long version, long list) {
        return new Observed(
                Kind.POD_GROUP,
                "scheduling.x-k8s.io/ns/" + name,
                version,
                list,
                "{\"group\":\"scheduling.x-k8s.io\",\"namespace\":\"ns\",\"name\":\"" + name + "\",\"uid\":\"ug\","
                        + "\"createdAt\":\"2026-11-21T00:00:00Z\",\"phase\":\"\",\"minMember\":" + minMember + "}");
    }

    @Test
    @DisplayName("AT-G1 through the own scheduler: too few members hold nothing; the last one starts all")
    void holdBack() {
        list(1, node("a", 1), node("b", 1), group(3, 1, 1), pod("p1", MEMBER, 1, 1), pod("p2", MEMBER, 1, 1));
        await().until(() -> reported.stream().anyMatch(report -> report.reason().equals("GANG_TOO_FEW_MEMBERS(2/3)")));
        assertThat(held).isEmpty();

        publish(pod("p3", MEMBER, 2, 0));
        await().until(() -> placed.size() == 3);
        assertThat(held.subList(0, 3)).containsExactlyInAnyOrder("p1", "p2", "p3");
        assertThat(released).isEmpty();
    }

    @Test
    @DisplayName("The reason of a member is written again where that has failed")
    void reasonIsWrittenAgain() {
        onReport = () -> new PodBinding.InDoubt("no answer");
        list(1, node("a", 1), group(2, 1, 1), pod("p1", MEMBER, 1, 1));
        await().until(() -> reported.size() == 1);
        await().until(() -> counted("not_reported") == 1);

        onReport = PodBinding.Unbound::new;
        skip(Duration.ofSeconds(5));
        await().until(() -> reported.size() == 2);
        assertThat(reported.getFirst()).isEqualTo(reported.getLast());
    }

    @Test
    @DisplayName("No member is bound where the ledger refuses one of them, and all holds are released")
    void refused() {
        onHold = hold -> Future.succeededFuture(
                hold.holder().equals("p3") ? new HoldReply.NodeNotReady() : new HoldReply.Held(Duration.ofSeconds(1)));
        list(
                1,
                node("a", 1),
                node("b", 1),
                group(3, 1, 1),
                pod("p1", MEMBER, 1, 1),
                pod("p2", MEMBER, 1, 1),
                pod("p3", MEMBER, 1, 1));
        await().until(() -> released.containsAll(List.of("p1", "p2")));
        assertThat(placed).isEmpty();
        await().until(() -> written.stream()
                .anyMatch(state -> state.reason().equals("GANG_NOT_HELD: node b is not ready")
                        || state.reason().equals("GANG_NOT_HELD: node a is not ready")));
    }

    @Test
    @DisplayName("No member is bound whose hold the ledger has lost with its state, and the gang is released")
    void holdLost() {
        onHold = hold -> Future.succeededFuture(
                held.stream().filter(hold.holder()::equals).count() == 1
                        ? new HoldReply.Held(Duration.ofHours(1))
                        : new HoldReply.NoRoom(
                                new Resources(100, 0), new Resources(10_000, 0), new Resources(10_000, 0)));
        list(1, node("a", 1), node("b", 1), group(2, 1, 1), pod("p1", MEMBER, 1, 1), pod("p2", MEMBER, 1, 1));

        await().until(() -> {
            skip(Duration.ofSeconds(1));
            return written.stream().anyMatch(state -> state.reason().startsWith("GANG_NOT_BOUND: node"));
        });
        await().until(() -> released.containsAll(List.of("p1", "p2")));
        assertThat(placed).isEmpty();
    }

    @Test
    @DisplayName("Room is kept for a gang that waits long, under the attempt by which it is held")
    void keepsRoom() {
        sums(Given.node("a", 10, 10), Given.node("b", 10, 10));
        list(1, node("a", 1), node("b", 1), group(2, 1, 1), pod("p1", MEMBER, 1, 1), pod("p2", MEMBER, 1, 1));
        await().until(() -> reported.stream().anyMatch(report -> report.reason().startsWith("GANG_NO_ROOM(0/2)")));
        assertThat(kept).isEmpty();

        skip(KeptRoomRules.WAITS_LONG);
        await().until(() -> !kept.isEmpty());
        assertThat(kept.getFirst().room().pod()).isEqualTo("gang ns/g");
        sums(Given.keeping(Given.node("a", 10, 1), kept.getFirst().room()));
        await().until(() -> placed.size() == 2);
        assertThat(attempts).allMatch(kept.getFirst().room()::isForAttempt);
        await().until(() -> kept.getLast().ttl().isZero());
    }

    @Test
    @DisplayName("Through kube-scheduler: a node that may only be left out is awaited, one that is excluded is not")
    void leftOutByKubeScheduler() {
        var names = IntStream.range(0, 120).mapToObj(i -> "n" + i).toList();
        ledger = new Snapshot(
                names.stream().map(name -> Given.node(name, 0.15, 0)).toList());
        list(
                1,
                Stream.of(
                                names.stream().map(name -> node(name, 1)),
                                Stream.of(group(2, 1, 1), ofKubeScheduler("p1"), ofKubeScheduler("p2")))
                        .flatMap(objects -> objects)
                        .toArray(Observed[]::new));
        await().until(() -> states.stream().anyMatch(state -> state.members().size() == 2));

        await().until(() -> fitting("p1", names).isPresent());
        var node = fitting("p2", names).orElseThrow();
        var others = names.stream().filter(name -> !name.equals(node)).toList();
        assertThat(fitting("p2", others.subList(0, 100))).isEmpty();
        assertThat(fitting("p2", names)).contains(node);
        assertThat(released).isEmpty();

        assertThat(fitting("p2", others.subList(0, 99))).isEmpty();
        await().until(() -> released.containsAll(List.of("p1", "p2")));
    }

    @Test
    @DisplayName("A term whose first read of the ledgers fails reads them again; pods of no gang do not wait for it")
    void ledgersAreReadAgain() {
        var lost = new AtomicInteger();
        var away = onSnapshot;
        onSnapshot = () -> {
            lost.incrementAndGet();
            return Future.failedFuture("no majority");
        };
        ledger.nodes().forEach(node -> bus.publish(LedgerAddresses.NODE_CHANGED, node));
        var alone = ofKubeScheduler("alone", "");
        list(1, node("a", 1), node("b", 1), alone, group(2, 1, 1), pod("p1", MEMBER, 1, 1), pod("p2", MEMBER, 1, 1));
        await().until(() -> lost.get() > 0 && gauge("sluice.scheduler.leads") == 1);
        assertThat(bus.request(PlacementAddresses.GANG_NODE, new RankNodes("alone", "ns", "alone", List.of("a")))
                        .await())
                .isEqualTo(new NodeRanks.PodNotPending());
        assertThat(bus.request(PlacementAddresses.GANG_PLACE, new PlacePod("alone", "ns", "alone", "a"))
                        .await())
                .isEqualTo(new PlaceReply.NotPlaced(""));
        assertThat(placed).isEmpty();

        onSnapshot = away;
        skip(Duration.ofSeconds(5));
        await().until(() -> placed.size() == 2);
    }

    @Test
    @DisplayName("A gang starts after a gap in the term that nothing but a request has met")
    void gapInTheTerm() {
        list(1, node("a", 1), node("b", 1));
        await().until(() -> isAnswered("none"));
        missing = Optional.of("the Lease is not renewed");
        assertThat(isAnswered("none")).isFalse();
        missing = Optional.empty();

        list(2, node("a", 2), node("b", 2), group(2, 2, 2), pod("p1", MEMBER, 2, 2), pod("p2", MEMBER, 2, 2));
        await().until(() -> placed.size() == 2);
    }

    /** Whether the process that places gangs answers for a pod that nobody knows. */
    private boolean isAnswered(String uid) {
        return bus.request(PlacementAddresses.GANG_NODE, new RankNodes(uid, "ns", uid, List.of("a")))
                .map(true)
                .otherwise(false)
                .await();
    }

    private void sums(NodeLedgerView... nodes) {
        ledger = new Snapshot(List.of(nodes));
        ledger.nodes().forEach(node -> bus.publish(LedgerAddresses.NODE_CHANGED, node));
    }

    private Observed ofKubeScheduler(String uid) {
        return ofKubeScheduler(uid, MEMBER);
    }

    private Observed ofKubeScheduler(String uid, String more) {
        var own = pod(uid, more, 1, 1);
        return new Observed(Kind.POD, uid, 1, 1, own.fields().replace("\"own\"", "\"default-scheduler\""));
    }

    /** The node that a member may have, of those that kube-scheduler offers. */
    private Optional<String> fitting(String uid, List<String> offered) {
        return bus.request(PlacementAddresses.GANG_NODE, new RankNodes(uid, "ns", uid, offered))
                .map(ranks -> ranks instanceof NodeRanks.Ranked(var ranked)
                        ? ranked.stream()
                                .filter(NodeRanks.NodeRank::fits)
                                .map(NodeRanks.NodeRank::node)
                                .findFirst()
                        : Optional.<String>empty())
                .otherwise(Optional.empty())
                .await();
    }

    @Test
    @DisplayName("AT-G11 through the own scheduler: pods of an unknown gang wait, and its object starts them")
    void unknown() {
        list(1, node("a", 1), pod("p1", MEMBER, 1, 1));
        await().until(() -> reported.stream().anyMatch(report -> report.reason().startsWith("GANG_UNKNOWN")));
        assertThat(held).isEmpty();
        publish(group(1, 2, 0));
        await().until(() -> placed.size() == 1);
    }

    @Test
    @DisplayName("A pod that names gangs by two kinds waits with the reason")
    void twoKinds() {
        list(1, node("a", 1), pod("p1", MEMBER + ",\"schedulingGroup\":\"other\"", 1, 1));
        await().until(() -> reported.stream().anyMatch(report -> report.reason().startsWith("GANG_TWO_KINDS")));
        assertThat(held).isEmpty();
    }

    @Test
    @DisplayName("A gang that an earlier process had held as a whole is bound, without holding it anew elsewhere")
    void finished() {
        ledger = new Snapshot(List.of(
                Given.node("a", 10, 2, Given.hold("p1", 1, "gang-2-0-x.1"), Given.hold("p2", 1, "gang-2-0-x.2")),
                Given.node("b", 10, 2)));
        list(1, node("a", 1), node("b", 1), group(2, 1, 1), pod("p1", MEMBER, 1, 1), pod("p2", MEMBER, 1, 1));
        await().until(() -> placed.size() == 2);
        assertThat(decided()).containsExactlyInAnyOrder("p1 on a", "p2 on a");
        assertThat(released).isEmpty();
    }

    @Test
    @DisplayName("A gang of which an earlier process had held a part is released, and tried again later")
    void releasedByTheSuccessor() {
        ledger = new Snapshot(
                List.of(Given.node("a", 10, 1, Given.hold("p1", 1, "gang-2-0-x.1")), Given.node("b", 10, 2)));
        list(1, node("a", 1), node("b", 1), group(2, 1, 1), pod("p1", MEMBER, 1, 1), pod("p2", MEMBER, 1, 1));
        await().until(() -> released.contains("p1"));
    }

    @Test
    @DisplayName("Nothing of the surplus is evicted where a budget allows a part of the evictions alone")
    void keepsTheSurplusThatABudgetProtects() {
        var reasons = new CopyOnWriteArrayList<String>();
        bus.subscribe(PlacementAddresses.DECISION, decision -> reasons.add(decision.reason()))
                .await();
        var low = ",\"labels\":{\"scheduling.x-k8s.io/pod-group\":\"low\"},\"nodeName\":\"a\",\"phase\":\"Running\""
                + ",\"requests\":{\"cpu\":3000}";
        var high = MEMBER + ",\"priority\":7,\"requests\":{\"cpu\":3000}";
        ledger = new Snapshot(List.of(
                Given.node("a", 10, 1, Given.bound("l1", 0.1), Given.bound("l2", 0.1), Given.bound("l3", 0.1))));
        list(
                1,
                node("a", 1),
                new Observed(
                        Kind.DISRUPTION_BUDGET,
                        "ns/all",
                        1,
                        1,
                        "{\"namespace\":\"ns\",\"name\":\"all\",\"disruptionsAllowed\":1,\"selector\":{}}"),
                group("low", 1, 1, 1),
                group(2, 1, 1),
                pod("l1", low, 1, 1),
                pod("l2", low, 1, 1),
                pod("l3", low, 1, 1),
                pod("p1", high, 1, 1),
                pod("p2", high, 1, 1));
        await().until(() -> reasons.stream()
                .anyMatch(reason -> reason.startsWith("the disruption budget ns/all allows 1 of 2 evictions")));
        assertThat(evicted).isEmpty();
    }

    @Test
    @DisplayName("G12: what a gang of lower priority has beyond its minimum is evicted, and the gang starts then")
    void evictsTheSurplus() {
        var low = ",\"labels\":{\"scheduling.x-k8s.io/pod-group\":\"low\"},\"nodeName\":\"a\",\"phase\":\"Running\""
                + ",\"requests\":{\"cpu\":3000}";
        var high = MEMBER + ",\"priority\":7,\"requests\":{\"cpu\":3000}";
        ledger = new Snapshot(List.of(
                Given.node("a", 10, 1, Given.bound("l1", 0.1), Given.bound("l2", 0.1), Given.bound("l3", 0.1))));
        list(
                1,
                node("a", 1),
                group("low", 1, 1, 1),
                group(2, 1, 1),
                pod("l1", low, 1, 1),
                pod("l2", low, 1, 1),
                pod("l3", low, 1, 1),
                pod("p1", high, 1, 1),
                pod("p2", high, 1, 1));
        await().until(() -> evicted.size() == 2);
        assertThat(held).as("nothing is held before there is room").isEmpty();

        ledger = new Snapshot(List.of(Given.node("a", 10, 1, Given.bound("l1", 0.1))));
        evicted.stream()
                .map(eviction -> eviction.substring("ns/".length(), "ns/l1".length()))
                .forEach(pod -> publish(new SchedulingChange.Gone(Kind.POD, pod, 4)));
        skip(Duration.ofSeconds(6));
        await().until(() -> placed.size() == 2);
        assertThat(held).containsOnly("p1", "p2");
        assertThat(evicted).hasSize(2);
    }

    @Test
    @DisplayName("The surplus of another node is evicted where the victims do not end on a node that excludes the gang")
    void evictsElsewhere() {
        var low = ",\"phase\":\"Running\",\"requests\":{\"cpu\":4500}"
                + ",\"labels\":{\"scheduling.x-k8s.io/pod-group\":\"low\"},\"nodeName\":";
        var high = MEMBER + ",\"priority\":7,\"requests\":{\"cpu\":4500}";
        ledger = new Snapshot(List.of(
                Given.node("a", 10, 1, Given.bound("a1", 0.1), Given.bound("a2", 0.1)),
                Given.node("b", 10, 1, Given.bound("b1", 0.1), Given.bound("b2", 0.1))));
        list(
                1,
                node("a", 1),
                cordoned("b", 1, 1),
                group("low", 1, 1, 1),
                group(2, 1, 1),
                pod("a1", low + "\"a\"", 1, 1),
                pod("a2", low + "\"a\"", 1, 1),
                pod("b1", low + "\"b\"", 1, 1),
                pod("b2", low + "\"b\"", 1, 1),
                pod("p1", high, 1, 1),
                pod("p2", high, 1, 1));
        await().until(() -> evicted.size() == 2);
        assertThat(evicted).allMatch(eviction -> eviction.startsWith("ns/a"));

        publish(new Observed(Kind.NODE, "b", 2, 0, node("b", 1).fields()), cordoned("a", 2, 0));
        await().until(() -> {
            skip(Duration.ofSeconds(1));
            return evicted.stream().anyMatch(eviction -> eviction.startsWith("ns/b"));
        });
    }

    private static Observed cordoned(String node, long version, long list) {
        var fields = node(node, 1).fields().replaceFirst("}$", ",\"unschedulable\":true}");
        return new Observed(Kind.NODE, node, version, list, fields);
    }
}
