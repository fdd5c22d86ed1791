package io.sluice.placement.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.messages.cluster.SchedulingChange.Observed;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.RoomWanted;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.placement.core.Given;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How pods are evicted for others, and their room is kept. */
class PreemptorTest extends SchedulerOnABus {
    private static final String ON_SSD = ",\"nodeSelector\":{\"disk\":\"ssd\"}";
    private static final String PROTECTED = ",\"nodeName\":\"a\",\"labels\":{\"app\":\"db\"}";

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
        await().untilAsserted(() -> {
            skip(Duration.ofSeconds(1));
            assertThat(reported)
                    .extracting(UnschedulablePod::reason)
                    .last()
                    .asString()
                    .contains("is being deleted on node a");
        });
        assertThat(placed).isEmpty();

        // The room is not for a pod of lower priority that comes first.
        publish(pod("middle", requesting(3, 5_000, ""), 3, 0));
        publish(new SchedulingChange.Gone(Kind.POD, "low", 4));
        await().untilAsserted(() -> {
            skip(Duration.ofSeconds(1));
            assertThat(decided()).containsExactly("high on a");
        });
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
        await().untilAsserted(() -> {
            skip(Duration.ofSeconds(1));
            assertThat(evicted).contains("ns/low-2 for ns/high");
        });
    }

    /** Kubernetes has the last word, and its refusal is an Event of the pod. */
    @Test
    void requestsOneEvictionThatABudgetDoesNotAllow() {
        onEvict = new EvictReply.RefusedByBudget("The disruption budget db needs 1 healthy pods");
        list(
                1,
                node("a", 1),
                budget(0),
                pod("low", requesting(1, 9_000, PROTECTED), 1, 1),
                pod("high", requesting(7, 5_000, ""), 1, 1));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .last()
                .asString()
                .endsWith("; the eviction of ns/low is refused: The disruption budget db needs 1 healthy pods"));
        assertThat(evicted).contains("ns/low for ns/high");
        assertThat(nominated).isEmpty();
    }

    private static Observed budget(int allowed) {
        return new Observed(
                Kind.DISRUPTION_BUDGET,
                "ns/db",
                1,
                1,
                "{\"namespace\":\"ns\",\"name\":\"db\",\"disruptionsAllowed\":" + allowed
                        + ",\"selector\":{\"matchLabels\":{\"app\":\"db\"}}}");
    }

    /** It would allow the first eviction alone, and that would be in vain. */
    @Test
    void evictsNothingWhereABudgetAllowsSomeOfTheVictimsAlone() {
        list(
                1,
                node("a", 1),
                budget(1),
                pod("low-1", requesting(1, 5_000, PROTECTED), 1, 1),
                pod("low-2", requesting(1, 4_000, PROTECTED), 1, 1),
                pod("high", requesting(7, 9_000, ""), 1, 1));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .last()
                .asString()
                .endsWith("; the disruption budget ns/db allows 1 of 2 evictions: ns/low-2, ns/low-1"));
        assertThat(evicted).isEmpty();
        assertThat(nominated).isEmpty();
    }

    @Test
    void awaitsOnlyWhatWasEvictedAndEvictsTheRestLater() {
        evicts = eviction -> Future.succeededFuture(
                eviction.name().equals("low-2") ? new EvictReply.Failed("no reply") : new EvictReply.Evicted());
        ledger = new Snapshot(List.of(Given.node("a", 10, 0.2, Given.bound("low-1", 0.1), Given.bound("low-2", 0.1))));
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
                .endsWith("; evicted for it from node a: ns/low-1; the eviction of ns/low-2 has failed: no reply"));
        assertThat(evicted).containsExactly("ns/low-1 for ns/high", "ns/low-2 for ns/high");

        evicts = eviction -> Future.succeededFuture(new EvictReply.Evicted());
        ledger = new Snapshot(List.of(Given.node("a", 10, 0.1, Given.bound("low-2", 0.1))));
        publish(new SchedulingChange.Gone(Kind.POD, "low-1", 4));
        await().until(() -> {
            skip(Duration.ofSeconds(1));
            return evicted.size() == 3;
        });
        assertThat(evicted).last().isEqualTo("ns/low-2 for ns/high");
    }

    @Test
    void evictsNothingMoreOnceThePodIsPlaced() {
        var first = Promise.<EvictReply>promise();
        evicts = eviction -> first.future();
        var low = ",\"nodeName\":\"a\"";
        list(
                1,
                node("a", 1),
                pod("low-1", requesting(1, 5_000, low), 1, 1),
                pod("low-2", requesting(1, 4_000, low), 1, 1),
                pod("high", requesting(7, 9_000, ""), 1, 1));
        await().until(() -> !evicted.isEmpty());
        publish(pod("high", requesting(7, 9_000, ",\"nodeName\":\"b\""), 2, 0));
        publish(pod("last", ",\"nodeSelector\":{\"no\":\"node\"}", 2, 0));
        await().until(() -> reported.stream().anyMatch(report -> report.name().equals("last")));
        first.complete(new EvictReply.Evicted());
        await().until(() -> count("victims", "evicted") == 1);
        publish(pod("after", ",\"nodeSelector\":{\"no\":\"node\"}", 2, 0));
        await().until(() -> reported.stream().anyMatch(report -> report.name().equals("after")));
        assertThat(evicted).hasSize(1);
    }

    /** Its kubelet ends nothing any more. */
    @Test
    void evictsOnAnotherNodeWhereTheVictimsDoNotEndOnANodeThatExcludesThePod() {
        ledger = new Snapshot(List.of(
                Given.node("a", 10, 0.1, Given.bound("low-a", 0.1)),
                Given.node("b", 10, 0.1, Given.bound("low-b", 0.1))));
        list(
                1,
                node("a", 1),
                unreachable("b", 1, 1),
                pod("low-a", requesting(1, 9_000, ",\"nodeName\":\"a\""), 1, 1),
                pod("low-b", requesting(1, 9_000, ",\"nodeName\":\"b\""), 1, 1),
                pod("high", requesting(7, 5_000, ""), 1, 1));
        await().until(() -> nominated.contains("high on a"));

        publish(
                new Observed(Kind.NODE, "b", 2, 0, node("b", 1).fields()),
                unreachable("a", 2, 0),
                pod("low-a", requesting(1, 9_000, ",\"nodeName\":\"a\",\"terminating\":true"), 2, 0));
        await().until(() -> {
            skip(Duration.ofSeconds(1));
            return nominated.contains("high on b");
        });
        assertThat(evicted).containsExactly("ns/low-a for ns/high", "ns/low-b for ns/high");
    }

    private static Observed unreachable(String node, long version, long list) {
        var taint = ",\"taints\":[{\"key\":\"node.kubernetes.io/unreachable\",\"effect\":\"NoExecute\"}]";
        return with(node, version, list, taint);
    }

    private static Observed with(String node, long version, long list, String more) {
        return new Observed(
                Kind.NODE, node, version, list, node(node, 1).fields().replaceFirst("}$", more + "}"));
    }

    @Test
    void takesTheRoomBackOnANodeThatExcludesItsPod() {
        list(
                1,
                with("a", 1, 1, ",\"labels\":{\"disk\":\"ssd\"}"),
                pod("low", requesting(1, 9_000, ",\"nodeName\":\"a\""), 1, 1),
                pod("high", requesting(7, 5_000, ON_SSD), 1, 1));
        await().until(() -> nominated.contains("high on a"));

        publish(with("a", 2, 0, ""), new SchedulingChange.Gone(Kind.POD, "low", 4));
        await().until(() -> nominated.contains("high on "));
        publish(pod("other", requesting(7, 5_000, ""), 2, 0));
        await().until(() -> decided().contains("other on a"));
    }

    @Test
    void recallsNoRoomOnANodeThatExcludesItsPod() {
        list(
                1,
                node("a", 1),
                pod("high", requesting(7, 5_000, ON_SSD + ",\"nominatedNodeName\":\"a\""), 1, 1),
                pod("other", requesting(3, 5_000, ""), 1, 1));
        await().until(() -> decided().contains("other on a"));
        assertThat(reported).extracting(UnschedulablePod::name).containsOnly("high");
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
        await().until(() -> gauge("sluice.scheduler.leads") == 1);
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
        var room = new KeptRoom("a", "high", "ns/high", Given.cpus(3), 7);
        await().until(() -> published.contains(new KeptRooms("own", List.of(room))));
        assertThat(nominated).containsExactly("high on a");

        publish(new SchedulingChange.Gone(Kind.POD, "high", 5));
        await().until(() -> published.getLast().rooms().isEmpty());
    }
}
