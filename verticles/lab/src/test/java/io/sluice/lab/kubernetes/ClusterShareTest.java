package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.shell.Assignment;
import io.sluice.shell.FakePeers;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two processes with the same role against the lab's API, with a ledger that the test simulates. */
@ExtendWith(VertxExtension.class)
class ClusterShareTest {
    private static final Resources SIZE = new Resources(1000, 4L << 30);
    private static final Resources MORE = new Resources(1500, 6L << 30);
    private static final Resources MOST = new Resources(2000, 8L << 30);
    private static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";
    private static final ClusterConfig CONFIG = new ClusterConfig(
            "autoscale-scheduler",
            9100,
            "/metrics",
            9499,
            "/metrics",
            10_301,
            "/monitor",
            Duration.ofMillis(50),
            List.of("overprovisioning"),
            false,
            false,
            false,
            List.of());

    private final List<LoadNode> loads = new CopyOnWriteArrayList<>();
    private final List<Reclaim> reclaims = new CopyOnWriteArrayList<>();
    private FakePeers first;
    private FakePeers second;
    private Stage stage;

    @BeforeEach
    void setStage(Vertx vertx) {
        stage = new Stage(vertx);
        stage.bus
                .serve(LedgerAddresses.LOAD_NODE, load -> {
                    if (load.isAhead()) {
                        return Future.succeededFuture(new LoadReply(0, 0));
                    }
                    loads.add(load);
                    return Future.succeededFuture(new LoadReply(load.pods().size(), reclaims.isEmpty() ? 1 : 0));
                })
                .await();
    }

    @AfterEach
    void clearStage() {
        stage.close();
    }

    /** Connects two processes; the key is assigned to the first. */
    private void pair(String role, String key) {
        first = new FakePeers("c1", role);
        second = new FakePeers("c2", role);
        first.observes(second.self());
        second.observes(first.self());
        if (!new Assignment(first, role).mine(key)) {
            var other = first;
            first = second;
            second = other;
        }
    }

    private Shell shell(FakePeers peers) {
        return new Shell(stage.shell.clock(), new SimpleMeterRegistry(), new Readiness(), new Random(1)).among(peers);
    }

    private String watches(Shell shell) {
        return stage.vertx
                .deployVerticle(new ClusterVerticle(CONFIG, stage.config, shell, stage.client))
                .await();
    }

    @Test
    void bothPublishObservationsAndOneHandsFullListsOver() {
        stage.runningVm("db", "{}");
        pair("cluster", "listing");
        var stands = shell(second);
        watches(stands);
        await().until(stands.readiness()::isReady);
        assertThat(stage.received(VmObserved.class)).isNotEmpty();
        assertThat(loads).isEmpty();
        assertThat(stage.received(FullListPublished.class)).isEmpty();

        var leads = shell(first);
        watches(leads);
        await().until(leads.readiness()::isReady);
        await().until(() -> stage.received(FullListPublished.class).size() == 1);
        assertThat(loads).hasSize(1);

        int reported = stage.received(VmObserved.class).size();
        stage.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));
        await().until(() -> stage.received(FullListPublished.class).size() == 2);
        await().until(() -> stage.received(VmObserved.class).size() >= reported + 2);
        assertThat(loads).hasSize(2);
    }

    @Test
    void aProcessThatTakesOverListsAtOnce() {
        stage.runningVm("db", "{}");
        pair("cluster", "listing");
        var stands = shell(second);
        watches(stands);
        await().until(stands.readiness()::isReady);

        second.observes();
        await().until(() -> stage.received(FullListPublished.class).size() == 1);
        assertThat(loads).hasSize(1);
    }

    @Test
    void oneOfThemReclaimsAVmWithoutAnAgent() {
        stage.runningVm("db", "{\"internal.autoscaling.sluice.io/fence\":\"gone/7\"}");
        stage.bus
                .serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(new Snapshot(List.of(recovered()))))
                .await();
        stage.bus
                .serve(LedgerAddresses.RECLAIM, reclaim -> {
                    reclaims.add(reclaim);
                    return Future.succeededFuture(new ReclaimReply.Settled(reclaim.amounts()));
                })
                .await();
        pair("cluster", "listing");
        var leads = shell(first);
        var deployed = watches(leads);
        await().until(() -> !reclaims.isEmpty());
        var fence = fence();
        assertThat(fence).startsWith("settle-");

        watches(shell(second));
        stage.vertx.undeploy(deployed).await();
        second.observes();
        await().until(() -> loads.size() == 2);
        await().until(() -> stage.received(FullListPublished.class).size() == 2);
        assertThat(reclaims).hasSize(1);
        assertThat(fence()).isEqualTo(fence);
    }

    @Test
    void whatIsReservedForAVmIsWrittenByTheProcessItIsAssignedTo() {
        var uid = stage.runningVm("db", "null").at("/metadata/uid").asText();
        var vm = new VmId("neonvm", "default", "db", uid);
        pair("vm", vm.label());
        var writes = shell(first);
        var stands = shell(second);
        for (var shell : List.of(writes, stands)) {
            stage.vertx
                    .deployVerticle(new VmPatchVerticle(ScalingEventsContract.SOON, stage.config, shell, stage.client))
                    .await();
        }
        reserved(vm, MORE);
        await().until(() -> approved().contains("6Gi"));
        assertThat(written(writes)).isEqualTo(1);
        assertThat(written(stands)).isZero();

        first.observes();
        second.observes();
        first.observes(second.self());
        reserved(vm, MOST);
        await().until(() -> approved().contains("8Gi"));
        await().until(() -> written(stands) == 1 && written(writes) == 2);
    }

    private void reserved(VmId vm, Resources permit) {
        stage.bus.publish(
                AgentAddresses.STATUS,
                new RunnerStatus(
                        vm,
                        "node-a",
                        "pod-uid",
                        SIZE,
                        Optional.of(permit),
                        Optional.of(permit),
                        Waiting.NOTHING,
                        Duration.ZERO,
                        GoalBasis.NONE,
                        "",
                        Optional.empty()));
    }

    private String approved() {
        return annotation(APPROVED);
    }

    private String fence() {
        return annotation("internal.autoscaling.sluice.io/fence");
    }

    private String annotation(String name) {
        return stage.raw
                .get(Stage.VMS + "/db")
                .body()
                .at("/metadata/annotations")
                .path(name)
                .asText();
    }

    private static double written(Shell shell) {
        return Optional.ofNullable(shell.meters()
                        .find("sluice.vm.approvals")
                        .tag("outcome", "written")
                        .counter())
                .map(counter -> counter.count())
                .orElse(0.0);
    }

    private NodeLedgerView recovered() {
        var none = Resources.NONE;
        var max = new Resources(4000, 16L << 30);
        var pod = stage.received(PodObserved.class).getFirst().uid();
        var reservation = new ReservationView(
                pod,
                "default",
                "db-0",
                "db",
                max,
                none,
                none,
                none,
                max,
                false,
                reclaims.isEmpty() ? AgentContact.RECOVERED : AgentContact.REQUESTED,
                0,
                0,
                ReservationTraits.NONE);
        return new NodeLedgerView(
                "node-a", true, max, max, max, max, none, none, none, none, none, false, 0, List.of(reservation));
    }
}
