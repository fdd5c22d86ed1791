package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.migration.core.MigrationFault;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Migrations as any client of the lab's API observes them. */
@ExtendWith(VertxExtension.class)
class LabMigrationTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private LabStage stage;

    @BeforeEach
    void open(Vertx vertx) {
        stage = new LabStage(vertx);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void movesAVmWithItsGuestAndItsAddresses() throws Exception {
        var ip = stage.vm("db", "/status/podIP").asText();

        stage.migrate("move", "db", "node-b");
        stage.awaitPhase("move", "Succeeded");
        stage.awaitGone(LabPaths.pod("db-0"));

        var status = stage.vm("db", "/status");
        assertThat(status.path("node").asText()).isEqualTo("node-b");
        assertThat(status.path("podIP").asText()).isEqualTo(ip);
        assertThat(status.path("phase").asText()).isEqualTo("Running");
        assertThat(metrics("db")).contains("host_load1");

        stage.resize("db", 8);
        stage.awaitVm("db", "/status/cpus", "2");
        await().atMost(LabStage.WAIT)
                .until(() -> stage.lab.guests().get("db").size().equals(LabStage.units(8)));
        var pod = stage.raw.get(LabPaths.pod(status.path("podName").asText())).body();
        assertThat(pod.at("/metadata/annotations/vm.neon.tech~1usage").asText()).contains("8Gi");
    }

    @Test
    void takesTheVmThroughItsPhasesAndTheTargetThroughTheScheduler() {
        var vms = stage.raw.stream(LabPaths.VMS + "?watch=true&fieldSelector=metadata.name%3Ddb");
        var pods = stage.raw.stream(LabPaths.PODS + "?watch=true&labelSelector=vm.neon.tech%2Fname%3Ddb");

        stage.migrate("move", "db", "node-c");
        stage.awaitPhase("move", "Succeeded");
        stage.awaitGone(LabPaths.pod("db-0"));
        var target = stage.vm("db", "/status/podName").asText();

        await().atMost(LabStage.WAIT)
                .untilAsserted(() -> assertThat(reported(vms, "/object/status/phase"))
                        .containsExactly("Running", "PreMigrating", "Migrating", "Running"));
        assertThat(reported(vms, "/object/status/podName")).containsExactly("db-0", target);
        assertThat(reported(vms, "/object/status/node")).containsExactly("node-a", "node-c");
        await().atMost(LabStage.WAIT)
                .untilAsserted(() -> assertThat(String.join("", pods)).contains("DELETED"));
        var ofTarget = events(pods).stream()
                .filter(event -> event.at("/object/metadata/name").asText().equals(target))
                .toList();
        assertThat(ofTarget.getFirst().at("/object/spec").has("nodeName"))
                .as("made without a node")
                .isFalse();
        assertThat(ofTarget.getFirst()
                        .at("/object/metadata/labels/vm.neon.tech~1name")
                        .asText())
                .isEqualTo("db");
    }

    @Test
    void makesTheMigrationOwnTheTargetUntilTheVmIsThere() {
        stage.lab.faults().migrations("db", MigrationFault.HANGS_RUNNING);
        stage.migrate("move", "db", "node-b");
        stage.awaitPhase("move", "Running");

        var target = stage.migration("move").at("/status/targetPodName").asText();
        assertThat(owners(target)).containsExactly("VirtualMachineMigration move true", "VirtualMachine db false");
        assertThat(owners("db-0")).containsExactly("VirtualMachine db true", "VirtualMachineMigration move false");
        assertThat(stage.migration("move")
                        .at("/metadata/ownerReferences/0/kind")
                        .asText())
                .isEqualTo("VirtualMachine");
        assertThat(stage.vm("db", "/status/podName").asText()).isEqualTo("db-0");

        stage.lab.faults().heal("db");
        stage.awaitPhase("move", "Succeeded");
        assertThat(owners(target)).containsExactly("VirtualMachine db true");
    }

    @Test
    void appliesNoSizeToAVmThatMoves() {
        stage.lab.faults().migrations("db", MigrationFault.HANGS_RUNNING);
        stage.migrate("move", "db", "node-b");
        stage.awaitPhase("move", "Running");

        stage.resize("db", 6);
        stage.resize("web", 6);
        stage.awaitVm("web", "/status/memorySize", "6Gi");
        assertThat(stage.vm("db", "/status/memorySize").asText()).isEqualTo("4Gi");
        assertThat(stage.vm("db", "/status/phase").asText()).isEqualTo("Migrating");

        stage.lab.faults().heal("db");
        stage.awaitPhase("move", "Succeeded");
        stage.awaitVm("db", "/status/memorySize", "6Gi");
    }

    @Test
    void findsANodeWhereNoneIsNamed() {
        stage.migrate("move", "db", "");
        stage.awaitPhase("move", "Succeeded");

        assertThat(stage.vm("db", "/status/node").asText()).as("most room").isEqualTo("node-c");
    }

    @Test
    void movesAVmTwiceOneAfterTheOther() {
        stage.migrate("first", "db", "node-b");
        stage.migrate("second", "db", "node-c");
        stage.awaitPhase("first", "Succeeded");
        stage.awaitPhase("second", "Succeeded");

        assertThat(stage.vm("db", "/status/node").asText()).isIn("node-b", "node-c");
        await().atMost(LabStage.WAIT)
                .untilAsserted(() -> assertThat(podsOf("db"))
                        .containsExactly(stage.vm("db", "/status/podName").asText()));
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILS", "TARGET_DIES"})
    void leavesTheVmWhereItWasWhenTheCopyingFails(MigrationFault fault) {
        stage.lab.faults().nextMigration(fault);
        stage.migrate("move", "db", "node-b");
        stage.awaitPhase("move", "Failed");

        stage.awaitVm("db", "/status/phase", "Running");
        await().atMost(LabStage.WAIT)
                .untilAsserted(() -> assertThat(podsOf("db")).containsExactly("db-0"));
        assertThat(stage.vm("db", "/status/node").asText()).isEqualTo("node-a");

        stage.raw.delete(LabPaths.migration("move"), "");
        stage.awaitGone(LabPaths.migration("move"));
        stage.migrate("move", "db", "node-b");
        stage.awaitPhase("move", "Succeeded");
    }

    @ParameterizedTest
    @EnumSource(names = {"HANGS_PENDING", "HANGS_RUNNING"})
    void takesBackAMigrationThatIsDeletedBeforeItsEnd(MigrationFault fault) {
        stage.lab.faults().migrations("db", fault);
        stage.migrate("hanging", "db", "node-b");
        stage.awaitPhase("hanging", fault == MigrationFault.HANGS_PENDING ? "Pending" : "Running");
        stage.migrate("other", "web", "node-b");
        stage.awaitPhase("other", "Succeeded");
        assertThat(stage.migration("hanging").at("/status/phase").asText()).isIn("Pending", "Running");
        assertThat(stage.vm("db", "/status/phase").asText()).isIn("PreMigrating", "Migrating");

        var deleted = stage.raw.delete(LabPaths.migration("hanging"), "");

        assertThat(deleted.body().at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        stage.awaitGone(LabPaths.migration("hanging"));
        assertThat(stage.vm("db", "/status/phase").asText()).isEqualTo("Running");
        assertThat(podsOf("db")).containsExactly("db-0");
    }

    @Test
    void bindsTheTargetOfAMigrationThatHangs() {
        stage.lab.faults().migrations("db", MigrationFault.HANGS_PENDING);
        stage.migrate("hanging", "db", "node-b");
        stage.awaitPhase("hanging", "Pending");

        var target = stage.migration("hanging").at("/status/targetPodName").asText();
        await().atMost(LabStage.WAIT)
                .untilAsserted(() -> assertThat(stage.raw
                                .get(LabPaths.pod(target))
                                .body()
                                .at("/spec/nodeName")
                                .asText())
                        .isEqualTo("node-b"));
        assertThat(stage.raw
                        .get(LabPaths.pod(target))
                        .body()
                        .at("/status/phase")
                        .asText())
                .isEqualTo("Pending");
    }

    @Test
    void leavesTheVmLockedWhenTheMigrationEndsInPlaceUntilItIsDeleted() {
        stage.lab.faults().nextMigration(MigrationFault.ENDS_IN_PLACE);
        stage.migrate("move", "db", "node-b");
        stage.awaitPhase("move", "Failed");
        await().atMost(LabStage.WAIT)
                .untilAsserted(() -> assertThat(podsOf("db")).containsExactly("db-0"));
        assertThat(stage.vm("db", "/status/phase").asText()).isEqualTo("PreMigrating");

        stage.raw.delete(LabPaths.migration("move"), "");

        stage.awaitGone(LabPaths.migration("move"));
        assertThat(stage.vm("db", "/status/phase").asText()).isEqualTo("Running");
    }

    @Test
    void landsOnAnotherNodeThanIsMeantOnRequest() {
        stage.lab.faults().nextMigration(MigrationFault.LANDS_ELSEWHERE);
        stage.migrate("move", "db", "node-c");
        stage.awaitPhase("move", "Succeeded");

        assertThat(stage.vm("db", "/status/node").asText()).isEqualTo("node-b");
    }

    @Test
    void letsAMigrationGoWhenItsVmIsGone() {
        stage.lab.faults().migrations("db", MigrationFault.HANGS_RUNNING);
        stage.migrate("move", "db", "node-b");
        stage.awaitPhase("move", "Running");
        stage.raw.delete(LabPaths.vm("db"), "");
        stage.awaitPhase("move", "Failed");

        stage.raw.delete(LabPaths.migration("move"), "");

        stage.awaitGone(LabPaths.migration("move"));
    }

    private String metrics(String vm) throws Exception {
        var at = stage.vm(vm, "/metadata/annotations/autoscaling.sluice.io~1metrics")
                .asText();
        var uri = URI.create("http://" + stage.vm(vm, "/status/podIP").asText() + ":" + at);
        try (var http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private List<String> owners(String pod) {
        var owners = new ArrayList<String>();
        stage.raw
                .get(LabPaths.pod(pod))
                .body()
                .at("/metadata/ownerReferences")
                .forEach(owner -> owners.add(
                        owner.path("kind").asText() + " " + owner.path("name").asText() + " "
                                + owner.path("controller").asText()));
        return owners;
    }

    private List<String> podsOf(String vm) {
        return stage.raw
                .get(LabPaths.PODS + "?labelSelector=vm.neon.tech%2Fname%3D" + vm)
                .body()
                .path("items")
                .valueStream()
                .map(pod -> pod.at("/metadata/name").asText())
                .toList();
    }

    /** The successive values of a field of the objects. */
    private static List<String> reported(List<String> watch, String pointer) {
        var values = new ArrayList<String>();
        for (var event : events(watch)) {
            var value = event.at(pointer).asText();
            if (values.isEmpty() || !values.getLast().equals(value)) {
                values.add(value);
            }
        }
        return values;
    }

    private static List<JsonNode> events(List<String> watch) {
        return watch.stream()
                .collect(Collectors.joining())
                .lines()
                .map(LabMigrationTest::json)
                .toList();
    }

    private static JsonNode json(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (JsonProcessingException noJson) {
            throw new AssertionError(line, noJson);
        }
    }
}
