package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the cluster role publishes of migrations and of their pods, with a ledger that the test simulates. */
@ExtendWith(VertxExtension.class)
class MigrationObservationsTest {
    private static final String MIGRATIONS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations";
    private static final String MERGE = "application/merge-patch+json";
    private static final Resources RESERVED = new Resources(3000, 12L << 30);
    private static final Resources MAXIMUM = new Resources(4000, 16L << 30);

    private static final String ATTEMPT = "p/1";

    private final List<LoadNode> loads = new CopyOnWriteArrayList<>();
    private final List<MarkMigrating> marks = new CopyOnWriteArrayList<>();
    private Supplier<Future<MarkReply>> marking = () -> Future.succeededFuture(new MarkReply.Marked(RESERVED));
    private Stage stage;

    @BeforeEach
    void setStage(Vertx vertx) {
        stage = new Stage(vertx);
        stage.runningVm("db", "{}");
    }

    @AfterEach
    void clearStage() {
        stage.close();
    }

    @Test
    void publishesThePhasesAndTheEndOfAMigration() {
        deploy();
        migration();
        await().until(() -> !stage.received(MigrationObserved.class).isEmpty());
        var observed = stage.received(MigrationObserved.class).getFirst();
        assertThat(observed.vmName()).isEqualTo("db");
        assertThat(observed.phase()).isEqualTo(MigrationPhase.NEW);
        assertThat(observed.ours()).isTrue();
        assertThat(observed.roomOn()).isEqualTo("node-b");

        stage.raw.patch(
                MIGRATIONS + "/m/status", MERGE, "{\"status\":{\"phase\":\"Running\",\"sourcePodName\":\"db-0\"}}");
        await().until(() -> stage.received(MigrationObserved.class).getLast().phase() == MigrationPhase.RUNNING);

        stage.raw.delete(MIGRATIONS + "/m", "");
        await().until(() -> !stage.received(MigrationGone.class).isEmpty());
        assertThat(stage.received(MigrationGone.class).getFirst().uid()).isEqualTo(observed.uid());
    }

    @Test
    void publishesMigrationsAgainWithEachFullList() {
        migration();
        deploy();
        await().until(() -> !stage.received(MigrationObserved.class).isEmpty());
        int before = stage.received(MigrationObserved.class).size();

        stage.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        await().until(() -> stage.received(MigrationObserved.class).size() > before);
    }

    @Test
    void countsATargetAtWhatIsReservedWhereItsVmLeaves() {
        deploy();
        migration();
        targetPod();

        await().until(() -> target().isPresent());
        assertThat(target().get().migration()).isEqualTo("m");
        assertThat(target().get().amounts()).isEqualTo(RESERVED);
        assertThat(marks)
                .contains(new MarkMigrating(
                        "node-a", sourceUid(), MarkMigrating.Cause.UNDER_WAY, Resources.NONE, ATTEMPT));
        assertThat(counted("reserved")).isEqualTo(1);
    }

    @Test
    void countsATargetAtTheMaximumWhereTheLedgerRefusesOrDoesNotAnswer() {
        marking = () -> Future.succeededFuture(new MarkReply.Refused(RefusalCause.POD_UNKNOWN));
        deploy();
        migration();
        targetPod();

        await().until(() -> target().isPresent());
        assertThat(target().get().amounts()).isEqualTo(MAXIMUM);
        assertThat(counted("maximum")).isEqualTo(1);

        marking = () -> Future.failedFuture("not now");
        stage.raw.delete(Stage.PODS + "/db-1", "");
        var first = target().get().uid();
        targetPod();
        await().until(() -> target().filter(pod -> !pod.uid().equals(first)).isPresent());
        assertThat(target().get().amounts()).isEqualTo(MAXIMUM);
    }

    @Test
    void loadsATargetThatWasThereBeforeItWithTheSameAmounts() {
        migration();
        targetPod();
        deploy();

        await().until(stage.shell.readiness()::isReady);
        assertThat(target().get().amounts()).isEqualTo(RESERVED);
        assertThat(loads.getFirst().pods())
                .filteredOn(PodObserved::migrationTarget)
                .extracting(PodObserved::amounts)
                .containsExactly(RESERVED);
    }

    @Test
    void holdsNothingElseBackWhileTheLedgerThinks() {
        marking = () -> Promise.<MarkReply>promise().future();
        deploy();
        migration();
        targetPod();
        await().until(() -> !marks.isEmpty());

        stage.raw.patch(Stage.PODS + "/db-0", MERGE, """
            {"metadata":{"annotations":{"vm.neon.tech/usage":"{\\"cpu\\":2,\\"memory\\":\\"8Gi\\"}"}}}\
            """);

        await().until(() -> stage.received(PodObserved.class).stream()
                .anyMatch(pod -> pod.amounts().milliCpu() == 2000));
        await().until(() -> target().isPresent());
        assertThat(target().get().amounts()).isEqualTo(MAXIMUM);
    }

    @Test
    void listsNothingSoonerWhileALoadWaitsForTheLedgersAnswer() {
        marking = () -> Promise.<MarkReply>promise().future();
        migration();
        targetPod();
        deploy();

        assertThat(watchers("plugin", "client.calls", "Nodes", "method", "Watch"))
                .isPositive();
        assertThat(watchers("plugin", "relist.requests", "Nodes", "watcher_instance", "Nodes"))
                .isZero();
        assertThat(loads.getFirst().pods())
                .filteredOn(PodObserved::migrationTarget)
                .extracting(PodObserved::amounts)
                .containsExactly(MAXIMUM);
    }

    @Test
    void goesOnWhereAMigrationCannotBeRead() {
        stage.raw.post(MIGRATIONS, "{\"metadata\":{\"name\":\"bad\"},\"spec\":{}}");
        migration();

        deploy();

        assertThat(stage.received(MigrationObserved.class))
                .extracting(MigrationObserved::name)
                .containsOnly("m");
        assertThat(stage.shell
                        .meters()
                        .get("sluice.cluster.unreadable")
                        .tag("kind", "migration")
                        .counter()
                        .count())
                .isPositive();
    }

    @Test
    void marksASourceAgainAfterALoadThatMayHaveMetAnEmptyLedger() {
        deploy();
        migration();
        await().until(() -> !stage.received(MigrationObserved.class).isEmpty());
        targetPod();
        await().until(() -> target().isPresent());
        int before = marks.size();

        stage.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        await().until(() -> marks.size() > before);
    }

    @Test
    void countsTheTargetAtItsOwnUseOnceTheVmHasArrived() {
        deploy();
        migration();
        targetPod();
        await().until(() -> target().isPresent());

        stage.raw.patch(Stage.PODS + "/db-1", MERGE, "{\"metadata\":{\"ownerReferences\":null}}");

        await().until(() -> stage.received(PodObserved.class).stream()
                .anyMatch(pod -> pod.name().equals("db-1") && !pod.migrationTarget()));
        var arrived = stage.received(PodObserved.class).getLast();
        assertThat(arrived.amounts()).isEqualTo(new Resources(1000, 4L << 30));
    }

    @Test
    void showsTheOperatorItsModel() throws Exception {
        deploy();
        migration();
        await().until(() -> !stage.received(MigrationObserved.class).isEmpty());
        var dump = stage.shell.dumps().parts().get("cluster");

        var keys = dump.keys().await();

        assertThat(keys).isSorted().contains("counts", "watches", "node/node-a");
        var read = new ObjectMapper();
        var pod =
                keys.stream().filter(key -> key.startsWith("pod/default/db-0/")).findFirst();
        assertThat(read.readTree(dump.read(pod.get()).await()).path("amounts").asText())
                .isEqualTo("1/4Gi");
        var moving = keys.stream()
                .filter(key -> key.startsWith("migration/default/m/"))
                .findFirst();
        assertThat(read.readTree(dump.read(moving.get()).await()).path("phase").asText())
                .isEqualTo("new");
        await().until(() -> read.readTree(dump.read("watches").await())
                .at("/migrations/watching")
                .asBoolean());
        assertThat(dump.read("vm/default/none/none").await()).isEqualTo("null");
    }

    @Test
    void countsListsWatchesAndWhatTheyBring() {
        deploy();
        migration();
        await().until(() -> !stage.received(MigrationObserved.class).isEmpty());
        stage.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));

        await().untilAsserted(() -> {
            assertThat(watchers("plugin", "client.calls", "VirtualMachineMigrations", "method", "List"))
                    .isPositive();
            assertThat(watchers("plugin", "client.calls", "Pods", "method", "Watch"))
                    .isPositive();
            assertThat(watchers("agent", "client.calls", "VirtualMachines", "method", "Watch"))
                    .isPositive();
            assertThat(watchers("plugin", "events", "VirtualMachineMigrations", "type", "ADDED"))
                    .isPositive();
            assertThat(watchers("plugin", "relist.requests", "Nodes", "watcher_instance", "Nodes"))
                    .isPositive();
            assertThat(gauge("alive", "Nodes")).isEqualTo(1);
            assertThat(gauge("failing", "Nodes")).isZero();
        });

        stage.api.failNext(503, 1);
        stage.bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("test"));
        await().until(() -> watchers("plugin", "errors", "Nodes", "source", "List") > 0);
    }

    private double watchers(String owner, String name, String instance, String tag, String value) {
        return stage
                .shell
                .meters()
                .find("autoscaling." + owner + ".watchers." + name)
                .tag("watcher_instance", instance)
                .tag(tag, value)
                .counters()
                .stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private double gauge(String name, String instance) {
        return stage.shell
                .meters()
                .get("autoscaling.plugin.watchers." + name + ".current")
                .tag("watcher_instance", instance)
                .gauge()
                .value();
    }

    private double counted(String at) {
        return stage.shell
                .meters()
                .get("sluice.cluster.migration.targets")
                .tag("counted_at", at)
                .counter()
                .count();
    }

    private Optional<PodObserved> target() {
        return stage.received(PodObserved.class).stream()
                .filter(PodObserved::migrationTarget)
                .reduce((first, second) -> second);
    }

    private String sourceUid() {
        return stage.raw.get(Stage.PODS + "/db-0").body().at("/metadata/uid").asText();
    }

    private JsonNode migration() {
        return stage.raw.post(MIGRATIONS, """
            {"metadata":{"name":"m","labels":{"autoscaling.neon.tech/created-by-scheduler":"true"},
               "annotations":{"internal.autoscaling.sluice.io/room-on":"node-b",
                 "internal.autoscaling.sluice.io/attempt":"p/1"}},
             "spec":{"vmName":"db"}}\
            """).body();
    }

    private void targetPod() {
        var migration =
                stage.raw.get(MIGRATIONS + "/m").body().at("/metadata/uid").asText();
        stage.raw.post(Stage.PODS, """
            {"metadata":{"name":"db-1","labels":{"vm.neon.tech/name":"db"},
               "annotations":{"vm.neon.tech/usage":"{\\"cpu\\":1,\\"memory\\":\\"4Gi\\"}"},
               "ownerReferences":[
                 {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","name":"db","uid":"u"},
                 {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachineMigration","name":"m","uid":"%s",
                  "controller":true}]},
             "spec":{"nodeName":"node-a","containers":[{"name":"neonvm-runner"}]}}\
            """.formatted(migration));
    }

    private void deploy() {
        stage.bus
                .serve(LedgerAddresses.LOAD_NODE, load -> {
                    if (load.isAhead()) {
                        return Future.succeededFuture(new LoadReply(0, 0));
                    }
                    loads.add(load);
                    return Future.succeededFuture(new LoadReply(load.pods().size(), 0));
                })
                .await();
        stage.bus
                .serve(LedgerAddresses.MARK, mark -> {
                    marks.add(mark);
                    return marking.get();
                })
                .await();
        stage.vertx
                .deployVerticle(new ClusterVerticle(ClusterConfig.DEFAULTS, stage.config, stage.shell, stage.client))
                .await();
        await().until(() -> stage.shell.readiness().isReady());
    }
}
