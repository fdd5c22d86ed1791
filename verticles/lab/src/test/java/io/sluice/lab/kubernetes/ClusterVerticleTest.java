package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster role against the lab's API, with a ledger that the test simulates. */
@ExtendWith(VertxExtension.class)
class ClusterVerticleTest {
    private static final Resources FOUR_UNITS = new Resources(1000, 4L << 30);
    private static final String MERGE = "application/merge-patch+json";
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
    private volatile boolean loadsFail;
    private Stage stage;

    @BeforeEach
    void setStage(Vertx vertx) {
        stage = new Stage(vertx);
    }

    @AfterEach
    void clearStage() {
        stage.close();
    }

    @Test
    void publishesEverythingThenLoadsTheLedgerThenPublishesTheFullList() {
        stage.runningVm("db", "{}");
        deploy(0);

        await().untilAsserted(() -> assertThat(stage.received(FullListPublished.class))
                .anySatisfy(listed -> {
                    assertThat(List.of(listed.nodes(), listed.pods(), listed.vms()))
                            .containsExactly(1, 1, 1);
                    assertThat(listed.migrations())
                            .hasValueSatisfying(list -> assertThat(list.uids()).isEmpty());
                }));
        var pod = stage.received(PodObserved.class).getFirst();
        var vm = stage.received(VmObserved.class).getFirst();
        assertThat(stage.received(NodeObserved.class).getFirst().allocatable())
                .isEqualTo(new Resources(8000, 32L << 30));
        assertThat(pod.amounts()).isEqualTo(FOUR_UNITS);
        assertThat(vm.pod()).isEqualTo(pod.uid());
        assertThat(vm.autoscaled()).isTrue();
        assertThat(loads).singleElement().satisfies(load -> {
            assertThat(load.pods()).containsExactly(pod);
            assertThat(load.vms()).containsExactly(vm);
        });
        assertThat(stage.shell.readiness().isReady()).isTrue();
    }

    @Test
    void isNotReadyBeforeTheLedgerTookTheLoad() {
        loadsFail = true;
        deploy(0);

        await().until(() -> loads.size() >= 2);
        assertThat(stage.shell.readiness().isReady()).isFalse();
        loadsFail = false;
        await().until(stage.shell.readiness()::isReady);
        assertThat(loads).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void publishesChangesAndWhatGoes() {
        stage.runningVm("db", "{}");
        deploy(0);
        await().until(stage.shell.readiness()::isReady);

        stage.raw.patch(Stage.VMS + "/db", MERGE, "{\"spec\":{\"guest\":{\"cpus\":{\"use\":2}}}}");
        await().until(() ->
                stage.received(VmObserved.class).getLast().sizes().spec().milliCpu() == 2000);

        stage.raw.patch(Stage.PODS + "/db-0/status", MERGE, "{\"status\":{\"phase\":\"Failed\"}}");
        await().until(() -> !stage.received(PodGone.class).isEmpty());
        assertThat(stage.received(VmObserved.class).getLast().pod()).isEmpty();

        stage.raw.delete(Stage.VMS + "/db", "");
        await().until(() -> !stage.received(VmGone.class).isEmpty());
    }

    @Test
    @DisplayName("F12: informers converge after all watches broke and lists failed")
    void goesOnAfterAllWatchesBrokeAndFullListsFailed() {
        stage.runningVm("db", "{}");
        stage.api.failNext(503, 1);
        deploy(0);
        await().until(stage.shell.readiness()::isReady);

        stage.api.endWatches();
        stage.raw.patch(Stage.VMS + "/db", MERGE, "{\"spec\":{\"guest\":{\"cpus\":{\"use\":2}}}}");

        await().until(() ->
                stage.received(VmObserved.class).getLast().sizes().spec().milliCpu() == 2000);
    }

    @Test
    void publishesWhyNothingNewMayGoToANode() {
        deploy(0);
        await().until(stage.shell.readiness()::isReady);

        stage.raw.patch("/api/v1/nodes/node-a", MERGE, "{\"spec\":{\"unschedulable\":true}}");
        await().until(() ->
                stage.received(NodeObserved.class).getLast().closed().equals("cordoned"));

        stage.raw.patch("/api/v1/nodes/node-a", MERGE, "{\"spec\":{\"unschedulable\":null}}");
        await().until(() ->
                stage.received(NodeObserved.class).getLast().closed().isEmpty());
    }

    @Test
    void publishesNothingOfPodsInNamespacesThatAreIgnored() {
        pod("overprovisioning", "listed");
        deploy(0);
        await().until(stage.shell.readiness()::isReady);

        pod("overprovisioning", "watched");
        pod("default", "counted");

        await().until(() -> !stage.received(PodObserved.class).isEmpty());
        assertThat(stage.received(PodObserved.class))
                .extracting(PodObserved::name)
                .containsOnly("counted");
        assertThat(loads.getFirst().pods()).isEmpty();
    }

    @ParameterizedTest(name = "usage {0}")
    @DisplayName("a pod that forges a VM's reservation counts at its requests")
    @ValueSource(strings = {"{\"cpu\":\"1m\",\"memory\":\"1Mi\"}", "{\"cpu\":10000,\"memory\":\"100Ti\"}"})
    void countsAForgedReservationAtItsRequests(String usage) {
        stage.runningVm("db", "{}");
        var vm = stage.raw.get(Stage.VMS + "/db").body().at("/metadata/uid").asText();
        deploy(0);
        await().until(stage.shell.readiness()::isReady);

        stage.raw.post(Stage.PODS, """
            {"metadata":{"name":"evil","labels":{"vm.neon.tech/name":"db"},
               "annotations":{"vm.neon.tech/usage":"%s"},
               "ownerReferences":[{"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","name":"db","uid":"%s",
                 "controller":true}]},
             "spec":{"nodeName":"node-a","containers":[{"name":"a",
               "resources":{"requests":{"cpu":8,"memory":"1Gi"}}}]}}\
            """.formatted(usage.replace("\"", "\\\""), vm));

        await().until(() -> evil().isPresent());
        assertThat(evil().get().amounts()).isEqualTo(new Resources(8000, 1L << 30));
        assertThat(evil().get().runsVm()).isFalse();
        stage.raw.delete(Stage.PODS + "/evil", "");
        await().until(() -> stage.received(PodGone.class).stream()
                .anyMatch(gone -> gone.uid().equals(evil().get().uid())));
    }

    private Optional<PodObserved> evil() {
        return stage.received(PodObserved.class).stream()
                .filter(pod -> pod.name().equals("evil"))
                .findFirst();
    }

    private void pod(String namespace, String name) {
        stage.raw.post("/api/v1/namespaces/" + namespace + "/pods", """
            {"metadata":{"name":"%s"},"spec":{"nodeName":"node-a","containers":[{"name":"a"}]}}\
            """.formatted(name));
    }

    @Test
    void loadsANodeThatCameLater() {
        deploy(0);
        await().until(stage.shell.readiness()::isReady);

        stage.raw.post("/api/v1/nodes", """
            {"metadata":{"name":"node-b"},"status":{"allocatable":{"cpu":"4","memory":"8Gi"}}}\
            """);

        await().until(() -> loads.stream().anyMatch(load -> load.node().node().equals("node-b")));
    }

    @Test
    void publishesEverythingAgainOnDemand() {
        deploy(0);
        await().until(stage.shell.readiness()::isReady);
        int before = stage.received(NodeObserved.class).size();

        stage.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        await().until(() -> stage.received(NodeObserved.class).size() > before);
        await().until(() -> loads.size() > 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"min\":0}",
                "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":\"1e999999999\",\"mem\":\"2Gi\"}}"
            })
    void keepsTheLastGoodBoundsAndGoesOnTelling(String bad) {
        stage.runningVm(
                "db", bounds("{\"min\":{\"cpu\":\"500m\",\"mem\":\"2Gi\"},\"max\":{\"cpu\":3,\"mem\":\"12Gi\"}}"));
        deploy(0);
        await().until(stage.shell.readiness()::isReady);
        var good = new Resources(3000, 12L << 30);
        assertThat(stage.received(VmObserved.class).getLast().sizes().max()).isEqualTo(good);

        stage.raw.patch(
                Stage.VMS + "/db",
                MERGE,
                "{\"metadata\":{\"annotations\":%s},\"spec\":{\"guest\":{\"cpus\":{\"use\":2}}}}"
                        .formatted(bounds(bad)));

        await().until(() ->
                stage.received(VmObserved.class).getLast().sizes().spec().milliCpu() == 2000);
        assertThat(stage.received(VmObserved.class).getLast().sizes().max()).isEqualTo(good);
        assertThat(stage.shell
                        .meters()
                        .get("sluice.cluster.unreadable")
                        .tag("kind", "vm")
                        .counter()
                        .count())
                .isPositive();
    }

    @Test
    void reclaimsAVmWithoutAnAgentOnceItsFenceIsTaken() {
        var reclaims = new CopyOnWriteArrayList<Reclaim>();
        var vm = stage.runningVm("db", "{\"internal.autoscaling.sluice.io/fence\":\"gone/7\"}");
        stage.bus
                .serve(
                        LedgerAddresses.SNAPSHOT,
                        request -> Future.succeededFuture(new Snapshot(List.of(recovered(reclaims)))))
                .await();
        stage.bus
                .serve(LedgerAddresses.RECLAIM, reclaim -> {
                    reclaims.add(reclaim);
                    return Future.succeededFuture(new ReclaimReply.Settled(reclaim.amounts()));
                })
                .await();
        deploy(1);

        await().until(() -> !reclaims.isEmpty());
        assertThat(fence()).startsWith("settle-").endsWith("/0");
        assertThat(reclaims.getFirst()).isEqualTo(new Reclaim("node-a", podUid(), FOUR_UNITS, 0));
        assertThat(vm.at("/metadata/uid").asText()).isNotEmpty();
    }

    @Test
    void claimsNoFenceAgainBeforeReclaimIsDueAndLooksSoonerWhereTheNodeChanges() {
        var reclaims = new CopyOnWriteArrayList<Reclaim>();
        var looks = new AtomicInteger();
        stage.runningVm("db", "{\"internal.autoscaling.sluice.io/fence\":\"gone/7\"}");
        stage.bus
                .serve(LedgerAddresses.SNAPSHOT, request -> {
                    looks.incrementAndGet();
                    return Future.succeededFuture(new Snapshot(List.of(recovered(List.of()))));
                })
                .await();
        stage.bus
                .serve(LedgerAddresses.RECLAIM, reclaim -> {
                    reclaims.add(reclaim);
                    return Future.succeededFuture(new ReclaimReply.TooEarly(Duration.ofHours(1)));
                })
                .await();
        deploy(0);
        await().until(() -> !stage.received(PodObserved.class).isEmpty());
        stage.bus.publish(LedgerAddresses.NODE_CHANGED, recovered(List.of()));
        await().until(() -> !reclaims.isEmpty());
        var claimed = fence();

        int before = looks.get();
        await().until(() -> {
            stage.bus.publish(LedgerAddresses.NODE_CHANGED, recovered(List.of()));
            return looks.get() > before + 1;
        });

        assertThat(reclaims).hasSize(1);
        assertThat(fence()).isEqualTo(claimed);
    }

    @ParameterizedTest
    @EnumSource(
            value = AgentContact.class,
            names = {"FOUND", "SWITCHED_OFF"})
    void claimsTheFenceOfAReservationThatItsNodesSumsShowBeforeItIsReclaimed(AgentContact contact) {
        var reclaims = new CopyOnWriteArrayList<Reclaim>();
        stage.runningVm("db", "{\"internal.autoscaling.sluice.io/fence\":\"gone/7\"}");
        stage.bus
                .serve(
                        LedgerAddresses.SNAPSHOT,
                        request -> Future.succeededFuture(new Snapshot(List.of(reservation(contact, reclaims)))))
                .await();
        stage.bus
                .serve(LedgerAddresses.RECLAIM, reclaim -> {
                    reclaims.add(reclaim);
                    return Future.succeededFuture(new ReclaimReply.Settled(reclaim.amounts()));
                })
                .await();
        deploy(0);
        await().until(() -> !stage.received(PodObserved.class).isEmpty());

        stage.bus.publish(LedgerAddresses.NODE_CHANGED, reservation(contact, reclaims));
        await().until(() -> !reclaims.isEmpty());
        assertThat(fence()).startsWith("settle-").endsWith("/0");
        assertThat(reclaims.getFirst()).isEqualTo(new Reclaim("node-a", podUid(), FOUR_UNITS, 0));
    }

    private String fence() {
        return stage.raw
                .get(Stage.VMS + "/db")
                .body()
                .at("/metadata/annotations/internal.autoscaling.sluice.io~1fence")
                .asText();
    }

    private NodeLedgerView recovered(List<Reclaim> settled) {
        return reservation(AgentContact.RECOVERED, settled);
    }

    private NodeLedgerView reservation(AgentContact before, List<Reclaim> settled) {
        var none = Resources.NONE;
        var max = new Resources(4000, 16L << 30);
        var reservation = new ReservationView(
                podUid(),
                "default",
                "db-0",
                "db",
                max,
                none,
                none,
                none,
                max,
                false,
                settled.isEmpty() ? before : AgentContact.REQUESTED,
                0,
                0,
                ReservationTraits.NONE);
        return new NodeLedgerView(
                "node-a",
                true,
                max,
                max,
                max,
                max,
                none,
                none,
                none,
                none,
                none,
                false,
                0,
                List.of(reservation),
                NodeReadiness.READY,
                settled.isEmpty() ? 1 : 0);
    }

    private String podUid() {
        return stage.received(PodObserved.class).getFirst().uid();
    }

    private static String bounds(String json) {
        return "{\"autoscaling.neon.tech/bounds\":\"" + json.replace("\"", "\\\"") + "\"}";
    }

    private void deploy(int recovered) {
        stage.bus
                .serve(LedgerAddresses.LOAD_NODE, load -> {
                    if (load.isAhead()) {
                        return Future.succeededFuture(new LoadReply(0, 0));
                    }
                    loads.add(load);
                    return loadsFail
                            ? Future.failedFuture("not now")
                            : Future.succeededFuture(new LoadReply(load.pods().size(), recovered));
                })
                .await();
        stage.vertx
                .deployVerticle(new ClusterVerticle(CONFIG, stage.config, stage.shell, stage.client))
                .await();
    }
}
