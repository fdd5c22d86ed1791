package io.sluice.ledger;

import static io.sluice.ledger.LedgerOnABus.NODE_SIZE;
import static io.sluice.ledger.LedgerOnABus.SMALL;
import static io.sluice.ledger.LedgerOnABus.UNIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkMigrating.Cause;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests of placers and of the role that migrates VMs: each address once with success, and once refused or lost. */
@ExtendWith(VertxExtension.class)
class LedgerMovesTest {
    private static final Duration TTL = Duration.ofSeconds(120);
    private static final String HOLDER = HoldRoom.forMigration("ns", "move");
    private LedgerOnABus scene;
    private Bus bus;

    @BeforeEach
    void deploy(Vertx vertx) {
        scene = new LedgerOnABus(vertx);
        bus = scene.bus;
        scene.deploy();
    }

    private HoldReply hold(String holder, Resources amounts) {
        return scene.request(
                        LedgerAddresses.HOLD,
                        new HoldRoom("n", holder, "ns", "to-come", "other", amounts, Overcommit.OFF, TTL))
                .await();
    }

    private MarkReply mark(Cause cause, Resources room) {
        return scene.request(LedgerAddresses.MARK, new MarkMigrating("n", "vm", cause, room, "move"))
                .await();
    }

    private double replies(String counter, String reply) {
        return scene.meters.counter(counter, "reply", reply).count();
    }

    @Test
    void holdsRoomUntilItsPodIsObservedOrItIsReleased() throws InterruptedException {
        scene.load();

        assertThat(hold("pod-1", SMALL)).isEqualTo(new HoldReply.Held(TTL));
        assertThat(hold("pod-2", SMALL)).isEqualTo(new HoldReply.Held(TTL));
        bus.publish(ClusterAddresses.POD_OBSERVED, new PodObserved("pod-1", "ns", "to-come", "n", "", 9, SMALL, 0));
        scene.awaitChange(changed -> changed.held().equals(SMALL));
        assertThat(hold("pod-1", SMALL)).isEqualTo(new HoldReply.Bound());
        assertThat(scene.request(LedgerAddresses.RELEASE, new ReleaseHold("n", "pod-2"))
                        .await())
                .isEqualTo(new HoldReply.Released());
        assertThat(scene.request(LedgerAddresses.RELEASE, new ReleaseHold("n", "pod-2"))
                        .await())
                .as("the reply was lost and requested again")
                .isEqualTo(new HoldReply.Released());

        assertThat(replies("sluice.ledger.holds", "held")).isEqualTo(2);
        assertThat(replies("sluice.ledger.holds", "bound")).isEqualTo(1);
        assertThat(replies("sluice.ledger.holds", "released")).isEqualTo(2);
    }

    @Test
    void refusesRoomThatIsNotThereWithTheNumbers() {
        assertThat(hold("pod-1", SMALL)).isEqualTo(new HoldReply.NotReady(NotReadyCause.NODE_UNKNOWN));
        scene.load();

        assertThat(hold("pod-1", SMALL.times(8)))
                .isEqualTo(new HoldReply.NoRoom(new Resources(2000, 0), SMALL.times(4), NODE_SIZE));
        assertThat(replies("sluice.ledger.holds", "no_room")).isEqualTo(1);
    }

    @Test
    void keepsRoomForAPodFromTheHoldsOfOthers() throws InterruptedException {
        var room = new KeptRoom("n", "large", "ns/large", NODE_SIZE, 0);
        assertThat(keep(new KeepRoom(room, KeepRoom.KEPT_AT_MOST)))
                .isEqualTo(new KeepReply.NotReady(NotReadyCause.NODE_UNKNOWN));
        scene.load();

        assertThat(keep(new KeepRoom(room, KeepRoom.KEPT_AT_MOST)))
                .isEqualTo(new KeepReply.Kept(KeepRoom.KEPT_AT_MOST));
        scene.awaitChange(changed -> changed.kept().equals(Optional.of(room)));
        assertThat(hold("small", SMALL)).isEqualTo(new HoldReply.RoomKept("ns/large"));
        assertThat(scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("n"))
                        .await()
                        .nodes()
                        .getFirst()
                        .kept())
                .contains(room);

        assertThat(keep(KeepRoom.end(room))).isEqualTo(new KeepReply.Ended());
        scene.awaitChange(changed -> changed.kept().isEmpty());
        assertThat(hold("small", SMALL)).isInstanceOf(HoldReply.Held.class);
        assertThat(replies("sluice.ledger.keeps", "kept")).isEqualTo(1);
        assertThat(replies("sluice.ledger.keeps", "not_ready")).isEqualTo(1);
        assertThat(replies("sluice.ledger.holds", "room_kept")).isEqualTo(1);
    }

    private KeepReply keep(KeepRoom request) {
        return scene.request(LedgerAddresses.KEEP, request).await();
    }

    @Test
    void aTargetTakesOverWhatIsHeldForItsMigration() throws InterruptedException {
        scene.load();
        hold(HOLDER, SMALL);

        bus.publish(
                ClusterAddresses.POD_OBSERVED,
                new PodObserved("target", "ns", "to-come", "n", "other", 9, SMALL, 0, "move"));

        var ledger = scene.awaitChange(changed ->
                changed.held().equals(Resources.NONE) && changed.reserved().equals(SMALL.times(5)));
        assertThat(ledger.complete()).isTrue();
        assertThat(hold(HOLDER, SMALL)).isEqualTo(new HoldReply.Bound());
        var reservations = scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("n"))
                .await()
                .nodes()
                .getFirst()
                .reservations();
        assertThat(reservations)
                .filteredOn(reservation -> reservation.traits().migrationTarget())
                .singleElement()
                .satisfies(target -> assertThat(target.pod()).isEqualTo("target"));
    }

    @Test
    @DisplayName("F14: pods placed without a hold are counted, those without room apart")
    void podsBoundWithoutAHoldAreCountedApartWhereTheyHadNoRoom() throws InterruptedException {
        scene.load();
        var arrived = new LinkedBlockingQueue<PlacementDecision>();
        bus.subscribe(PlacementAddresses.DECISION, arrived::add).await();

        bus.publish(ClusterAddresses.POD_OBSERVED, new PodObserved("fits", "ns", "fits", "n", "", 9, SMALL, 0));
        scene.awaitChange(changed -> changed.reserved().equals(SMALL.times(5)));
        assertThat(notices("pod_found")).isEqualTo(1);
        assertThat(notices("pod_found_over")).isZero();

        bus.publish(
                ClusterAddresses.POD_OBSERVED, new PodObserved("over", "ns", "over", "n", "", 10, SMALL.times(9), 0));
        scene.awaitChange(changed -> changed.reserved().equals(SMALL.times(14)));
        assertThat(notices("pod_found")).isEqualTo(1);
        assertThat(notices("pod_found_over")).isEqualTo(1);
        assertThat(scene.meters
                        .get("autoscaling_plugin_reserve_should_deny_total")
                        .tag("node", "n")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(List.of(arrived.take(), arrived.take()))
                .extracting(PlacementDecision::kind, PlacementDecision::label, PlacementDecision::node)
                .containsExactly(
                        tuple(PlacementDecision.Kind.ARRIVED, "ns/fits", "n"),
                        tuple(PlacementDecision.Kind.ARRIVED, "ns/over", "n"));
    }

    private double notices(String notice) {
        return scene.meters.counter("sluice.ledger.notices", "notice", notice).count();
    }

    @Test
    void aTargetWithoutRoomIsCountedAndNoticed() throws InterruptedException {
        scene.load();

        bus.publish(
                ClusterAddresses.POD_OBSERVED,
                new PodObserved("target", "ns", "to-come", "n", "other", 9, SMALL, 0, "move"));

        scene.awaitChange(changed -> changed.reserved().equals(SMALL.times(5)));
        assertThat(notices("landed_unheld")).isEqualTo(1);
    }

    /** The VM sends its first request, and another pod fills the node above its watermark. */
    private void pressed() {
        scene.load();
        scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                .await();
        scene.request(
                        LedgerAddresses.PERMIT,
                        new PermitRequest(
                                "n",
                                "vm",
                                "runner",
                                LedgerOnABus.FIRST_SESSION,
                                1,
                                UNIT,
                                SMALL,
                                Optional.empty(),
                                Optional.of(0.5f)))
                .await();
        hold("filler", new Resources(9000, 0));
    }

    @Test
    void marksTheVmThatPressureMovesAndTakesTheMarkBack() {
        pressed();

        assertThat(mark(Cause.PRESSURE, SMALL)).isEqualTo(new MarkReply.Marked(SMALL));
        assertThat(mark(Cause.PRESSURE, SMALL)).as("a repeat").isEqualTo(new MarkReply.Marked(SMALL));
        awaitMigrating(1);
        var unmark = new UnmarkMigrating("n", "vm", "move");
        assertThat(scene.request(LedgerAddresses.UNMARK, unmark).await()).isEqualTo(new MarkReply.Unmarked(SMALL));

        assertThat(replies("sluice.ledger.marks", "marked")).isEqualTo(2);
        assertThat(replies("sluice.ledger.marks", "unmarked")).isEqualTo(1);
        awaitMigrating(0);
    }

    /** The reply may come before the gauges are set. */
    private void awaitMigrating(double cpus) {
        await().untilAsserted(() -> assertThat(gauge("autoscaling_plugin_node_cpu_resources_current", "Migrating"))
                .isEqualTo(cpus));
    }

    @Test
    void refusesMarksWithTheNumbers() {
        scene.load();
        assertThat(mark(Cause.PRESSURE, SMALL)).isEqualTo(new MarkReply.Refused(RefusalCause.RECOVERED));
        pressed();
        assertThat(mark(Cause.PRESSURE, UNIT)).isEqualTo(new MarkReply.Outgrown(SMALL));
        scene.request(LedgerAddresses.RELEASE, new ReleaseHold("n", "filler")).await();

        var ledger = scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("n"))
                .await()
                .nodes()
                .getFirst();
        assertThat(mark(Cause.PRESSURE, SMALL)).isEqualTo(new MarkReply.NotPressed(PressureNumbers.of(ledger)));
        assertThat(scene.request(LedgerAddresses.UNMARK, new UnmarkMigrating("n", "absent", "move"))
                        .await())
                .isEqualTo(new MarkReply.Refused(RefusalCause.POD_UNKNOWN));
        assertThat(replies("sluice.ledger.marks", "not_pressed")).isEqualTo(1);
        assertThat(replies("sluice.ledger.marks", "outgrown")).isEqualTo(1);
        assertThat(replies("sluice.ledger.marks", "refused")).isEqualTo(2);
    }

    private double gauge(String name, String field) {
        return scene.meters.get(name).tags("node", "n", "field", field).gauge().value();
    }

    @Test
    @DisplayName("F13: a node that is not ready refuses holds, and stops growth by the passing of time alone")
    void aNodeThatIsNotReadyReportsIt() throws InterruptedException {
        scene.load();
        scene.bus.publish(
                ClusterAddresses.NODE_OBSERVED,
                new NodeObserved("n", 9, LedgerOnABus.NODE_SIZE, "not ready", List.of(), false));
        scene.awaitChange(ledger -> ledger.readiness() == NodeReadiness.NOT_READY);

        assertThat(hold("pod", SMALL)).isEqualTo(new HoldReply.NodeNotReady());
        assertThat(replies("sluice.ledger.holds", "node_not_ready")).isOne();
        assertThat(scene.meters.get("sluice.ledger.node.ready").gauge().value()).isZero();

        scene.now.set(scene.now.get().plus(LedgerConfig.DEFAULTS.notReadyGrace()));
        scene.awaitChange(ledger -> ledger.readiness() == NodeReadiness.GROWTH_STOPPED);
    }
}
