package io.sluice.placement.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.messages.cluster.SchedulingChange.Observed;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.messages.vm.ChooseVolume;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.messages.vm.VolumeChoice;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.Given;
import io.sluice.placement.core.KeptRoomRules;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.shell.load.LoadPolicy;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How the own scheduler places pods. */
class SchedulerVerticleTest extends SchedulerOnABus {
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
        list(2, node("a", 2), pod("one", PORT, 1, 2), pod("last", ",\"nodeSelector\":{\"no\":\"where\"}", 1, 2));
        await().until(() -> gauge("sluice.scheduler.pods.waiting"), value -> value == 2);
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
        onTouch = touch -> placed.isEmpty() ? new PodBinding.Unbound() : new PodBinding.InDoubt("no answer");
        list(1, node("a", 1), node("b", 1), pod("doubt", PORT, 1, 1));
        await().untilAsserted(() -> assertThat(decided()).hasSize(1));
        publish(pod("other", PORT, 1, 0), pod("doubt", PORT, 2, 0));
        await().untilAsserted(() -> assertThat(placed).hasSize(2));
        assertThat(placed.get(1).uid()).isEqualTo("other");
        assertThat(placed.get(1).node()).isNotEqualTo(placed.getFirst().node());
    }

    @Test
    void aBindInDoubtCountsUntilItsPodIsTouchedHoweverLongThatTakes() {
        onPlace = request -> Future.succeededFuture(
                request.uid().equals("doubt") ? new PlaceReply.InDoubt("no answer") : new PlaceReply.Placed());
        onTouch = touch -> placed.isEmpty() ? new PodBinding.Unbound() : new PodBinding.InDoubt("no answer");
        list(1, node("b", 1), pod("doubt", PORT, 1, 1));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("doubt on b"));
        await().until(() -> gauge("sluice.scheduler.pods.waiting"), value -> value == 1);
        skip(LeftOverHolds.LEFT_OVER_AFTER.multipliedBy(2));
        await().untilAsserted(() -> assertThat(touched).hasSize(3));
        publish(pod("other", PORT, 1, 0));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .containsExactly("0/1 nodes are available: 1 without a free host port"));
        assertThat(decided()).containsExactly("doubt on b");

        onTouch = touch -> new PodBinding.Unbound();
        skip(LeftOverHolds.LEFT_OVER_AFTER.multipliedBy(2));
        await().untilAsserted(() -> {
            skip(Duration.ofSeconds(1));
            assertThat(decided()).contains("other on b");
        });
    }

    /** History: room is held, then the process is paused and loses its Lease, and after that goes on. */
    @Test
    void sendsNoBindOfATermThatEndedAfterRoomWasHeld() {
        var hold = Promise.<HoldReply>promise();
        onHold = request -> hold.future();
        list(1, node("a", 1), pod("one", PORT, 1, 1));
        await().untilAsserted(() -> assertThat(held).containsExactly("one"));
        missing = Optional.of("the lease was taken");
        hold.complete(new HoldReply.Held(Duration.ofSeconds(1)));
        await().untilAsserted(() -> assertThat(released).containsExactly("one"));
        assertThat(placed).isEmpty();
    }

    /** The same history, but the process has the Lease again, after another one had it. */
    @Test
    void sendsNoBindThatWasDecidedInAnEarlierTermOfItsOwn() {
        var hold = Promise.<HoldReply>promise();
        onHold = request -> hold.future();
        list(1, node("a", 1), pod("one", PORT, 1, 1));
        await().untilAsserted(() -> assertThat(held).containsExactly("one"));
        term = 2;
        hold.complete(new HoldReply.Held(Duration.ofSeconds(1)));
        await().untilAsserted(() -> assertThat(released).containsExactly("one"));
        assertThat(placed).isEmpty();
    }

    /** History: the process before has sent a bind that arrives late, and the pod conflicts with others. */
    @Test
    void touchesAllThatWaitBeforeItsFirstDecisionAndListsThemAgain() {
        var late = new AtomicBoolean(true);
        onTouch = touch -> touch.uid().equals("late") && late.get()
                ? new PodBinding.InDoubt("no answer")
                : new PodBinding.Unbound();
        list(1, node("a", 1), pod("late", PORT, 1, 1), pod("one", PORT + ",\"priority\":1", 1, 1));
        await().untilAsserted(() -> assertThat(touched).contains("late", "one"));
        await().untilAsserted(() ->
                assertThat(touched.stream().filter("late"::equals)).hasSizeGreaterThan(1));
        assertThat(held).isEmpty();
        // The late bind has taken effect, which only a list after the touch shows for certain.
        listed = List.of(node("a", 1), pod("late", PORT + ",\"nodeName\":\"a\"", 2, 1), pod("one", PORT, 1, 1));
        late.set(false);
        await().untilAsserted(() ->
                assertThat(reported).extracting(UnschedulablePod::uid).containsExactly("one"));
        assertThat(held).isEmpty();
    }

    /** As where a webhook refuses each change of its status. */
    @Test
    void aPodThatCannotBeTouchedKeepsNoOtherFromItsNodeForLong() {
        var refused = new AtomicBoolean(true);
        onTouch = touch -> touch.uid().equals("stuck") && refused.get()
                ? new PodBinding.InDoubt("the answer was 500")
                : new PodBinding.Unbound();
        list(1, node("a", 1), node("b", 1), pod("stuck", ",\"priority\":1", 1, 1), pod("one", "", 1, 1));
        await().until(() -> touched.stream().filter("stuck"::equals).count() > 1);
        assertThat(held).isEmpty();

        skip(EarlierBinds.REPEATED_FOR);
        await().until(() -> decided().contains("one on b"));
        assertThat(held).containsExactly("one");
        refused.set(false);
        await().until(() -> {
            skip(Duration.ofSeconds(1));
            return decided().contains("stuck on b");
        });
    }

    @Test
    void placesAThousandPodsInTheOrderOfTheQueueAndNoneBeyondATotal() {
        var random = new Random(7);
        var reserved = new ConcurrentHashMap<String, Resources>();
        var total = Given.cpus(10);
        onHold = request -> {
            var after = reserved.merge(request.node(), request.amounts(), Resources::plus);
            assertThat(after.exceeds(total)).as(request.node()).isFalse();
            return Future.succeededFuture(new HoldReply.Held(Duration.ofSeconds(1)));
        };
        var objects = new ArrayList<Observed>();
        for (int number = 0; number < 20; number++) {
            var node = "node-" + number;
            bus.publish(LedgerAddresses.NODE_CHANGED, Given.node(node, 10, 0));
            objects.add(new Observed(
                    Kind.NODE, node, 1, 1, "{\"name\":\"" + node + "\",\"allocatable\":{\"cpu\":99000,\"pods\":999}}"));
        }
        var order = new TreeMap<String, String>();
        for (int number = 0; number < 1_000; number++) {
            var uid = "pod-%04d".formatted(number);
            int priority = random.nextInt(5);
            order.put(9 - priority + uid, uid);
            objects.add(pod(uid, ",\"priority\":" + priority, 1, 1, Given.cpus(0.1 + random.nextInt(4) * 0.1)));
        }
        list(1, objects.toArray(Observed[]::new));
        await().until(() -> gauge("sluice.scheduler.pods.waiting"), value -> value == 1_000);
        await().until(() ->
                !placed.isEmpty() && counted("no_node") > 0 && counted("placed") + counted("no_node") >= 1_000);

        assertThat(held).hasSizeBetween(600, 999);
        assertThat(held.stream().distinct().toList())
                .containsExactlyElementsOf(
                        order.values().stream().filter(held::contains).toList());
    }

    @Test
    void aNewPolicyCountsFromTheNextPodOn() {
        list(1, node("a", 1), node("b", 1), pod("one", "", 1, 1));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("one on b"));
        verticle.reload(new PlacementConfig(LoadPolicy.SPREAD, 0.5, 0.8, 0, "own", true, false))
                .await();
        publish(pod("two", "", 1, 0));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("one on b", "two on a"));
    }

    @Test
    void keepsRoomForALargePodFromThoseThatComeLater() {
        list(1, node("b", 1), pod("large", "", 1, 1, Given.cpus(9)));
        await().untilAsserted(() -> assertThat(reported).hasSize(1));
        skip(KeptRoomRules.WAITS_LONG);
        var room = new KeptRoom("b", "large", "ns/large", Given.cpus(9), 0);
        await().untilAsserted(() -> assertThat(kept).extracting(KeepRoom::room).contains(room));
        publish(pod("small", "", 1, 0, Given.cpus(2)), pod("higher", ",\"priority\":1", 1, 0, Given.cpus(2)));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::uid, UnschedulablePod::reason)
                .contains(tuple(
                        "small",
                        "0/1 nodes are available: 1 with room that is kept for ns/large, which waits longer")));
        assertThat(decided()).containsExactly("higher on b");
        publish(new SchedulingChange.Gone(Kind.POD, "large", 2));
        bus.publish(ClusterAddresses.POD_GONE, new PodGone("large", "", 2));
        await().untilAsserted(() -> assertThat(kept).contains(KeepRoom.end(room)));
    }

    @Test
    void bindsAPodOnceTheVolumesAreThereThatItsNodeWasChosenFor() {
        var chosen = new CopyOnWriteArrayList<ChooseVolume>();
        bus.serve(VmAddresses.CHOOSE_VOLUME, choice -> {
                    chosen.add(choice);
                    return Future.succeededFuture(new VolumeChoice(""));
                })
                .await();
        list(
                1,
                node("a", 1),
                object(
                        Kind.STORAGE_CLASS,
                        "made",
                        1,
                        "\"name\":\"made\",\"provisioner\":\"p\",\"volumeBindingMode\":\"WaitForFirstConsumer\""),
                object(Kind.VOLUME_CLAIM, "ns/data", 3, CLAIM),
                pod("one", ",\"claims\":[\"data\"]", 1, 1));
        await().untilAsserted(
                        () -> assertThat(chosen).containsExactly(new ChooseVolume("ns", "data", "u", "a", "", 3)));
        publish(object(Kind.VOLUME_CLAIM, "ns/data", 4, CLAIM + ",\"selectedNode\":\"a\""));
        assertThat(reported).isEmpty();

        skip(WaitReasons.VOLUMES_WITHIN.plusSeconds(1));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .containsExactly("its volumes are awaited for node a, for longer than 10 minutes"));
        publish(
                object(Kind.VOLUME, "new", 1, "\"name\":\"new\",\"phase\":\"Bound\""),
                object(Kind.VOLUME_CLAIM, "ns/data", 5, CLAIM + ",\"volumeName\":\"new\""));
        skip(Duration.ofMinutes(1));
        await().untilAsserted(() -> assertThat(decided()).containsExactly("one on a"));
        assertThat(chosen).hasSize(1);
        assertThat(held).containsExactly("one");
    }

    /** Their volumes would keep both there, and one of them could never run. */
    @Test
    void podsThatAwaitTheirVolumesCountOnTheirNodes() {
        var chosen = new CopyOnWriteArrayList<ChooseVolume>();
        bus.serve(VmAddresses.CHOOSE_VOLUME, choice -> {
                    chosen.add(choice);
                    return Future.succeededFuture(new VolumeChoice(""));
                })
                .await();
        list(
                1,
                node("a", 1),
                node("b", 1),
                object(
                        Kind.STORAGE_CLASS,
                        "made",
                        1,
                        "\"name\":\"made\",\"provisioner\":\"p\",\"volumeBindingMode\":\"WaitForFirstConsumer\""),
                object(Kind.VOLUME_CLAIM, "ns/data", 3, CLAIM),
                object(Kind.VOLUME_CLAIM, "ns/more", 3, CLAIM.replace("\"data\"", "\"more\"")),
                pod("one", ",\"requests\":{\"cpu\":5000},\"claims\":[\"data\"]", 1, 1),
                pod("two", ",\"requests\":{\"cpu\":5000},\"claims\":[\"more\"]", 1, 1));
        await().until(() -> chosen.size() == 2);
        assertThat(chosen).extracting(ChooseVolume::claim).containsExactlyInAnyOrder("data", "more");
        assertThat(chosen).extracting(ChooseVolume::node).containsExactlyInAnyOrder("a", "b");
    }

    private static Observed object(Kind kind, String key, long version, String fields) {
        return new Observed(kind, key, version, version == 3 || kind == Kind.STORAGE_CLASS ? 1 : 0, "{" + fields + "}");
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

    private static final String TAINTED = "\"name\":\"a\",\"allocatable\":{\"cpu\":9000,\"pods\":9},"
            + "\"taints\":[{\"key\":\"dedicated\",\"value\":\"db\",\"effect\":\"NoSchedule\"}]";

    @Test
    void namesTheTaintThatAloneExcludesANode() {
        list(1, object(Kind.NODE, "a", 3, TAINTED), pod("one", "", 1, 1));
        await().untilAsserted(() -> assertThat(reported)
                .extracting(UnschedulablePod::reason)
                .containsExactly("0/1 nodes are available: 1 tainted;"
                        + " it would be granted with a toleration of the taint dedicated=db of a"));

        assertThat(bus.request(PlacementAddresses.EXCLUDED_ALONE, new PodGrantQuery("ns/one"))
                        .await())
                .isEqualTo(NearestGrant.ofAll(
                        List.of(GrantChange.of(GrantChange.Kind.TAINT_TOLERATED, "a", "dedicated=db"))));
        assertThat(bus.request(PlacementAddresses.EXCLUDED_ALONE, new PodGrantQuery("ns/other"))
                        .await())
                .isEqualTo(NearestGrant.UNKNOWN);
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
