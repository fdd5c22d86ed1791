package io.sluice.ledger;

import static io.sluice.ledger.LedgerOnABus.NODE_SIZE;
import static io.sluice.ledger.LedgerOnABus.SMALL;
import static io.sluice.ledger.LedgerOnABus.UNIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkMigrating.Cause;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The verticle on a real local bus: each address once with success, and once with a failure. */
@ExtendWith(VertxExtension.class)
class LedgerVerticleTest {
    private static final Resources LARGE = new Resources(2000, 8192);

    private final BlockingQueue<RelistRequest> relists = new LinkedBlockingQueue<>();
    private LedgerOnABus scene;
    private Bus bus;

    @BeforeEach
    void listen(Vertx vertx, VertxTestContext context) {
        scene = new LedgerOnABus(vertx);
        bus = scene.bus;
        bus.subscribe(ClusterAddresses.RELIST_WANTED, relists::add).onComplete(context.succeedingThenComplete());
    }

    @Test
    void grantsOverTheBusWhatTheNodeHas() throws InterruptedException {
        scene.deploy();
        assertThat(relists.take()).isEqualTo(new RelistRequest("ledger"));
        assertThat(scene.shell.readiness().isReady()).isTrue();

        assertThat(scene.load()).isEqualTo(new LoadReply(1, 1));
        assertThat(scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                        .await())
                .as("a recovered VM may have patches under way up to its maximum")
                .isEqualTo(new OpenReply.Opened(LedgerOnABus.FIRST_SESSION, SMALL.times(4), true));
        var ruled = (PermitReply.Ruled)
                scene.request(LedgerAddresses.PERMIT, request()).await();
        assertThat(ruled.permit()).isEqualTo(LARGE);
        assertThat(ruled.validFor()).isEqualTo(Duration.ofSeconds(10));

        var snapshot =
                scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")).await();
        assertThat(snapshot.nodes()).singleElement().satisfies(node -> {
            assertThat(node.reserved()).isEqualTo(LARGE);
            assertThat(node.reservations())
                    .singleElement()
                    .satisfies(reservation -> assertThat(reservation.seq()).isEqualTo(1));
        });
        assertThat(scene.meters
                        .counter("sluice.ledger.permits", "kind", "cpu", "outcome", "noted")
                        .count())
                .as("two of its maximum of four: less than was reserved")
                .isEqualTo(1);
        assertThat(scene.meters
                        .get("sluice.ledger.reserved.cpu.cores")
                        .tag("node", "n")
                        .gauge()
                        .value())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("F1: a repeated request gets the reply that was lost")
    void anAnswerThatWasLostIsGivenAgain() {
        scene.deploy();
        scene.load();
        scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                .await();

        var first = scene.request(LedgerAddresses.PERMIT, request()).await();

        assertThat(scene.request(LedgerAddresses.PERMIT, request()).await()).isEqualTo(first);
        assertThat(scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                        .await())
                .isEqualTo(new OpenReply.Opened(LedgerOnABus.FIRST_SESSION, LARGE, false));
        assertThat(scene.load()).isEqualTo(new LoadReply(1, 0));
    }

    @Test
    @DisplayName("F11: nothing is granted before the first full list")
    void beforeAFullListNothingIsGranted() {
        scene.deploy();
        assertThat(scene.request(LedgerAddresses.PERMIT, request()).await())
                .isEqualTo(new PermitReply.NotReady(NotReadyCause.NODE_UNKNOWN, Duration.ofSeconds(1)));
        assertThat(scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("n"))
                        .await())
                .isEqualTo(new Snapshot(List.of()));
    }

    @Test
    void reportsAVmWithAnAgentWithoutSessions(VertxTestContext context) {
        bus.subscribe(
                        LedgerAddresses.VM_STATUS,
                        status -> context.verify(() -> {
                            assertThat(status.vm().uid()).isEqualTo("vm-uid");
                            assertThat(status.goal()).contains(SMALL.times(5));
                            assertThat(status.permit()).contains(SMALL.times(4));
                            assertThat(status.waiting()).isEqualTo(Waiting.MAX);
                            context.completeNow();
                        }))
                .await();
        scene.deploy();
        bus.publish(ClusterAddresses.VM_OBSERVED, LedgerOnABus.vm(3));
        scene.load();
        var agent = OpenSession.gateway("1-1");
        var opened = (OpenReply.Opened) scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", agent, 0))
                .await();
        scene.request(
                        LedgerAddresses.PERMIT,
                        new PermitRequest(
                                "n",
                                "vm",
                                agent,
                                opened.session(),
                                1,
                                UNIT,
                                SMALL.times(5),
                                Optional.empty(),
                                Optional.empty()))
                .await();
    }

    @Test
    void reclaimsARecoveredReservationOnceItIsTime() {
        scene.deploy();
        scene.load();
        var reclaim = new Reclaim("n", "vm", SMALL, Reclaim.ANY_SESSION);
        assertThat(scene.request(LedgerAddresses.RECLAIM, reclaim).await())
                .isEqualTo(new ReclaimReply.TooEarly(Duration.ofSeconds(11)));

        scene.now.set(Instant.EPOCH.plusSeconds(11));

        assertThat(scene.request(LedgerAddresses.RECLAIM, reclaim).await()).isEqualTo(new ReclaimReply.Settled(SMALL));
        assertThat(scene.request(LedgerAddresses.RECLAIM, reclaim).await())
                .as("the reply was lost and requested again")
                .isEqualTo(new ReclaimReply.NotRecovered());
    }

    @Test
    void followsObservationsAndPublishesChanges() throws InterruptedException {
        scene.deploy();
        bus.publish(ClusterAddresses.NODE_OBSERVED, new NodeObserved("n", 1, NODE_SIZE));
        bus.publish(ClusterAddresses.POD_OBSERVED, LedgerOnABus.pod(2));
        bus.publish(ClusterAddresses.VM_OBSERVED, LedgerOnABus.vm(3));
        scene.awaitChange(ledger -> ledger.reserved().equals(SMALL.times(4)) && !ledger.complete());

        bus.publish(ClusterAddresses.POD_GONE, new PodGone("vm", "n", 4));
        scene.awaitChange(ledger -> ledger.reserved().equals(Resources.NONE));
        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n", 5));
        scene.awaitChange(ledger -> ledger.total().equals(Resources.NONE));
    }

    @Test
    void publishesManyChangesInFewEventsAndTheLastAlways() throws InterruptedException {
        scene.deploy();
        long begun = System.nanoTime();
        for (int i = 1; i <= 1000; i++) {
            bus.publish(
                    ClusterAddresses.POD_OBSERVED, new PodObserved("p", "ns", "p", "n", "", i, new Resources(i, 1), 0));
        }

        var last = scene.awaitChange(ledger -> ledger.reserved().milliCpu() == 1000);

        assertThat(last.reservations()).isEmpty();
        long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        assertThat(scene.changesObserved).as("at most ten events a second").isLessThanOrEqualTo((int)
                (millis / 90 + 3));
    }

    @Test
    void anEmptyNodeThatIsGoneLeavesNoMetricBehind() throws InterruptedException {
        scene.deploy();
        bus.publish(ClusterAddresses.NODE_OBSERVED, new NodeObserved("n", 1, NODE_SIZE));
        bus.publish(ClusterAddresses.NODE_GONE, new NodeGone("n", 2));
        scene.awaitChange(ledger -> ledger.total().equals(Resources.NONE));
        scene.now.set(Instant.EPOCH.plus(Duration.ofHours(1)));

        await().until(() -> scene.meters.find("sluice.ledger.total.cpu.cores").gauge() == null);
        assertThat(scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(""))
                        .await()
                        .nodes())
                .isEmpty();
    }

    @Test
    void aStoreThatFailsFailsEveryRequest() {
        scene.deployBroken();

        assertFails(scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0)));
        assertFails(scene.request(LedgerAddresses.PERMIT, request()));
        assertFails(scene.request(LedgerAddresses.LOAD_NODE, LedgerOnABus.fullList()));
        assertFails(scene.request(LedgerAddresses.RECLAIM, new Reclaim("n", "vm", SMALL, Reclaim.ANY_SESSION)));
        assertFails(scene.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")));
        assertFails(scene.request(
                LedgerAddresses.HOLD,
                new HoldRoom("n", "pod", "ns", "pod", "", SMALL, Overcommit.OFF, Duration.ofSeconds(120))));
        assertFails(scene.request(LedgerAddresses.RELEASE, new ReleaseHold("n", "pod")));
        assertFails(scene.request(
                LedgerAddresses.MARK, new MarkMigrating("n", "vm", Cause.UNDER_WAY, Resources.NONE, "move")));
        assertFails(scene.request(LedgerAddresses.UNMARK, new UnmarkMigrating("n", "vm", "move")));
    }

    @Test
    void observationsThatCouldNotBeKeptAreRequestedAgain() throws InterruptedException {
        scene.deployBroken();
        relists.take(); // at its start

        bus.publish(ClusterAddresses.NODE_OBSERVED, new NodeObserved("n", 1, NODE_SIZE));

        relists.take();
    }

    @Test
    void aListFromBeforeTheLossIsRefusedAndTheReplyNamesWhatTheNextMustName() {
        scene.deploy();
        var list = LedgerOnABus.fullList().relist(scene.relist());
        scene.request(LedgerAddresses.LOAD_NODE, list).await();
        scene.vertx
                .deployVerticle(new LedgerVerticle(LedgerConfig.DEFAULTS, scene.shell))
                .compose(other -> scene.vertx.undeploy(scene.vertx.deploymentIDs().stream()
                        .filter(id -> !id.equals(other))
                        .findFirst()
                        .orElseThrow()))
                .await();

        var late = scene.request(LedgerAddresses.LOAD_NODE, list).await();

        assertThat(late.relist()).isPresent().isNotEqualTo(list.relist());
        assertThat(scene.request(LedgerAddresses.PERMIT, request()).await()).isInstanceOf(PermitReply.NotReady.class);
        assertThat(scene.request(
                                LedgerAddresses.LOAD_NODE,
                                list.relist(late.relist().orElseThrow()))
                        .await())
                .isEqualTo(new LoadReply(1, 1));
    }

    @Test
    void aVmWithAnUnobservedPodRequestsAList() throws InterruptedException {
        scene.deploy();
        relists.take(); // at its start
        scene.load();

        bus.publish(ClusterAddresses.VM_OBSERVED, LedgerOnABus.vm(5, "another"));

        relists.take();
    }

    @Test
    void aVmWithAnEndedPodRequestsNothing() throws InterruptedException {
        scene.deploy();
        relists.take(); // at its start
        scene.load();
        bus.publish(ClusterAddresses.POD_GONE, new PodGone("vm", "n", 4));
        bus.publish(ClusterAddresses.VM_OBSERVED, LedgerOnABus.vm(5));
        assertThat(scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                        .await())
                .as("both were applied by then")
                .isEqualTo(new OpenReply.Refused(RefusalCause.POD_UNKNOWN));

        assertThat(relists.poll(3, TimeUnit.SECONDS))
                .as("more than two ticks later")
                .isNull();
    }

    @Test
    void ledgerStateThatIsMissingIsRequestedWhenItIsNeeded() throws InterruptedException {
        scene.deploy();
        relists.take(); // at its start

        assertThat(scene.request(LedgerAddresses.OPEN, new OpenSession("n", "vm", "runner", 0))
                        .await())
                .isInstanceOf(OpenReply.NotReady.class);

        relists.take();
    }

    private static void assertFails(Future<?> answer) {
        assertThatThrownBy(() -> answer.await()).hasStackTraceContaining("no majority");
    }

    private static PermitRequest request() {
        return new PermitRequest(
                "n",
                "vm",
                "runner",
                LedgerOnABus.FIRST_SESSION,
                1,
                UNIT,
                LARGE,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new ReportedUse(SMALL, SMALL)));
    }
}
