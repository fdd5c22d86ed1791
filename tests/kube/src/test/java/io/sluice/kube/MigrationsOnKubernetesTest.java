package io.sluice.kube;

import static io.sluice.kube.KubeStage.MIGRATIONS;
import static io.sluice.kube.KubeStage.PODS;
import static io.sluice.kube.KubeStage.VMS;
import static io.sluice.kube.KubeStage.WAIT;
import static io.sluice.kube.KubeStage.always;
import static io.sluice.kube.KubeStage.node;
import static io.sluice.kube.KubeStage.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.lab.migration.core.MigrationFault;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.neonvm.api.KubernetesConnection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a VM leaves a full node, however its migration ends, and nothing is left of it. Method: on a real API server a
 * node of 9 units whose two VMs demand more, one of which may be migrated, and a node with room; all roles of Sluice,
 * and the lab's controllers.
 */
@OnKubernetes
class MigrationsOnKubernetesTest {
    private static final Map<String, String> ONCE = Map.of("sluice.pressure.cooldown", "10m");
    private static final String NAME = "schedplugin-leaver-0";

    private static ControlPlane plane;
    private static Kubectl kubectl;
    private static KubernetesClient client;

    private KubeStage stage;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        kubectl = new Kubectl(folder, plane.admin());
        client = KubernetesConnection.open(plane.admin());
    }

    @AfterAll
    static void stop() {
        client.close();
        plane.close();
    }

    @AfterEach
    void leavesNothingBehind() {
        var breach = stage.lab.audit().firstBreach();
        stage.close();

        assertThat(breach).isEmpty();
        var raw = new RawApi(client);
        for (var collection : List.of(MIGRATIONS, VMS, PODS, "/api/v1/nodes")) {
            assertThat(raw.get(collection).body().path("items"))
                    .extracting(item -> item.at("/metadata/name").asText())
                    .as(collection)
                    .isEmpty();
        }
    }

    private KubeStage stage(Map<String, String> changes) {
        var keys = new HashMap<>(ONCE);
        keys.putAll(changes);
        stage = new KubeStage(
                plane.admin(),
                keys,
                node("node-full", 9, vm("leaver", true, always(2)), vm("stayer", false, always(3))),
                node("node-roomy", 40, vm("resident", false)));
        return stage;
    }

    @Test
    void movesAVmAndReportsWhy() {
        stage(Map.of()).lab.faults().migrations("leaver", MigrationFault.HANGS_RUNNING);
        stage.start();

        var migration = stage.awaitMigration("leaver", phase("Running"));
        assertThat(migration.at("/metadata/name").asText()).isEqualTo(NAME);
        assertThat(migration
                        .at("/metadata/labels/autoscaling.neon.tech~1created-by-scheduler")
                        .asText())
                .isEqualTo("true");
        var owner = migration.at("/metadata/ownerReferences/0");
        assertThat(owner.path("kind").asText()).isEqualTo("VirtualMachine");
        assertThat(owner.path("uid").asText())
                .isEqualTo(stage.vm("leaver").at("/metadata/uid").asText());
        assertThat(migration.path("spec").toString())
                .contains("\"preventMigrationToSameHost\":true", "\"incremental\":true", "\"autoConverge\":true")
                .contains("\"allowPostCopy\":false", "\"completionTimeout\":3600", "\"vmName\":\"leaver\"");
        assertThat(stage.awaitDecision("leaver", Kind.MOVING).to()).isEqualTo("node-roomy");

        stage.lab.faults().heal("leaver");
        stage.awaitVm("leaver", "/status/node", "node-roomy");
        stage.awaitNothingMoves();

        assertThat(stage.raw.get(PODS + "/leaver-0").status()).isEqualTo(404);
        var why = "moving from node-full to node-roomy: cpu \\d+m above the watermark of 2\\.025";
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(kubectl.run("describe", "neonvm", "leaver"))
                        .containsPattern("Normal +Migrating .* sluice +" + why)
                        .containsPattern("Normal +MigrationEnded .* sluice +from node-full to node-roomy: runs there"));
        assertThat(kubectl.run("events", "--for=neonvm/leaver")).containsPattern(why);
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILS", "TARGET_DIES", "ENDS_IN_PLACE"})
    void leavesAVmWhereItIsThatCouldNotBeMoved(MigrationFault fault) {
        stage(Map.of()).lab.faults().migrations("leaver", fault);
        stage.start();

        staysAfter(MigrationPhase.FAILED);
    }

    @ParameterizedTest
    @EnumSource(names = {"STAYS_UNBOUND", "HANGS_PENDING"})
    void givesUpAMigrationThatDoesNotBegin(MigrationFault fault) {
        stage(Map.of("sluice.pressure.startTimeout", "3s")).lab.faults().migrations("leaver", fault);
        stage.start();

        staysAfter(MigrationPhase.PENDING);
    }

    @Test
    @DisplayName("F15: a migration that does not end is given up on a real API server")
    void givesUpAMigrationThatDoesNotEnd() {
        // Long enough to begin on a busy machine; nothing else ends it.
        stage(Map.of("sluice.pressure.startTimeout", "14s", "sluice.pressure.completionTimeout", "15s"))
                .lab
                .faults()
                .migrations("leaver", MigrationFault.HANGS_RUNNING);
        stage.start();

        staysAfter(MigrationPhase.RUNNING);
    }

    /** Checks that the migration's object is gone, its VM runs on the source, and its target is gone too. */
    private void staysAfter(MigrationPhase phase) {
        stage.awaitReceived("leaver", phase);
        stage.awaitDecision("leaver", Kind.NOT_MOVED);
        stage.awaitNothingMoves();

        var status = stage.vm("leaver").path("status");
        assertThat(status.path("podName").asText()).isEqualTo("leaver-0");
        assertThat(status.path("node").asText()).isEqualTo("node-full");
        stage.awaitVm("leaver", "/status/phase", "Running");
        await().atMost(WAIT)
                .until(() -> stage.raw
                                .get(PODS + "?labelSelector=vm.neon.tech%2Fname%3Dleaver")
                                .body()
                                .path("items")
                                .size()
                        == 1);
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(kubectl.run("describe", "neonvm", "leaver"))
                        .containsPattern("Warning +MigrationFailed .* sluice +from node-full to node-roomy: "));
    }

    @Test
    void goesOnWithWhatItFindsUnderWayAfterARestart() {
        stage(Map.of()).lab.faults().migrations("leaver", MigrationFault.HANGS_RUNNING);
        stage.start();
        var first = stage.awaitMigration("leaver", phase("Running"));

        stage.stopPressure();
        stage.startPressure();
        stage.awaitDecision("leaver", Kind.ADOPTED);
        stage.lab.faults().heal("leaver");

        stage.awaitDecision("leaver", Kind.MOVED);
        stage.awaitNothingMoves();
        assertThat(stage.vm("leaver").at("/status/node").asText()).isEqualTo("node-roomy");
        assertThat(stage.vm("leaver").at("/status/podName").asText())
                .endsWith(first.at("/metadata/uid").asText().substring(0, 8));
        assertThat(stage.shell
                        .meters()
                        .get("sluice.vm.migrations")
                        .tag("outcome", "begun")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void countsAForeignMigrationAndLeavesItAlone() {
        stage(Map.of("sluice.pressure.paused", "true")).lab.faults().migrations("leaver", MigrationFault.HANGS_RUNNING);
        stage.start();
        var made = stage.raw.post(MIGRATIONS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachineMigration","metadata":{"name":"by-hand"},
             "spec":{"vmName":"leaver"}}\
            """);
        assertThat(made.status()).isEqualTo(201);

        assertThat(stage.awaitDecision("leaver", Kind.ADOPTED).reason()).contains("begun by another party");
        await().atMost(WAIT)
                .until(() -> stage.ledger().stream()
                        .anyMatch(ledger -> ledger.accountedPressure().milliCpu() > 0));
        stage.lab.faults().heal("leaver");
        stage.awaitDecision("leaver", Kind.MOVED);
        await().atMost(WAIT)
                .until(() -> stage.ledger().stream()
                        .allMatch(ledger -> ledger.accountedPressure().milliCpu() == 0));

        assertThat(stage.awaitMigration("leaver", phase("Succeeded"))
                        .at("/metadata/name")
                        .asText())
                .isEqualTo("by-hand");
        assertThat(stage.awaitMigration("leaver", any -> true).at("/metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    void forgetsAMigrationWhenAUserDeletesItsObject() {
        stage(Map.of()).lab.faults().migrations("leaver", MigrationFault.HANGS_RUNNING);
        stage.start();
        stage.awaitMigration("leaver", phase("Running"));

        kubectl.run("delete", "neonvmm", NAME, "--wait=false");

        staysAfterItIsGone();
    }

    private void staysAfterItIsGone() {
        stage.awaitDecision("leaver", Kind.NOT_MOVED);
        stage.awaitNothingMoves();
        stage.awaitVm("leaver", "/status/phase", "Running");
        assertThat(stage.vm("leaver").at("/status/podName").asText()).isEqualTo("leaver-0");
    }

    @Test
    void waitsForWhateverElseHoldsTheObject() {
        stage(Map.of()).lab.faults().migrations("leaver", MigrationFault.HANGS_RUNNING);
        stage.start();
        stage.awaitMigration("leaver", phase("Running"));
        finalizers("[\"vm.neon.tech/finalizer\",\"example.org/other\"]");

        stage.lab.faults().migrations("leaver", MigrationFault.FAILS);
        stage.awaitMigration("leaver", object -> object.at("/metadata").has("deletionTimestamp"));
        stage.awaitVm("leaver", "/status/phase", "Running");
        assertThat(stage.raw.get(MIGRATIONS + "/" + NAME).status()).isEqualTo(200);
        finalizers("null");

        stage.awaitNothingMoves();
    }

    private void finalizers(String json) {
        var held = stage.raw.patch(
                MIGRATIONS + "/" + NAME,
                "application/merge-patch+json",
                "{\"metadata\":{\"finalizers\":" + json + "}}");
        assertThat(held.status()).isEqualTo(200);
    }

    @Test
    void cleansUpAfterAVmThatIsDeletedOnItsWay() {
        stage(Map.of()).lab.faults().migrations("leaver", MigrationFault.HANGS_RUNNING);
        stage.start();
        stage.awaitMigration("leaver", phase("Running"));

        kubectl.run("delete", "neonvm", "leaver", "--wait=false");

        stage.awaitNothingMoves();
        assertThat(stage.raw.get(VMS + "/leaver").status()).isEqualTo(404);
    }

    /** The driver publishes no VM with another node than its pod's. */
    @ParameterizedTest
    @EnumSource(names = {"NAMES_ITS_POD_FIRST", "NAMES_ITS_NODE_FIRST"})
    void followsAVmWithItsPodAndNodeNamedApart(MigrationFault fault) {
        stage(Map.of()).lab.faults().migrations("leaver", fault);
        stage.start();

        stage.awaitDecision("leaver", Kind.MOVED);
        stage.awaitNothingMoves();

        assertThat(stage.vms)
                .filteredOn(observed ->
                        observed.vm().name().equals("leaver") && !observed.pod().isEmpty())
                .extracting(observed -> observed.podName() + " on " + observed.node())
                .containsOnly(
                        "leaver-0 on node-full",
                        stage.vm("leaver").at("/status/podName").asText() + " on node-roomy");
    }

    private static Predicate<JsonNode> phase(String phase) {
        return object -> object.at("/status/phase").asText().equals(phase);
    }
}
