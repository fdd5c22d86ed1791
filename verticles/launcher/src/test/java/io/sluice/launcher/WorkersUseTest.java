package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.launcher.client.InstancesCommand;
import io.sluice.launcher.client.WorkersCommand;
import io.sluice.launcher.config.Settings;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.WorkerUse;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.control.v1.Gang;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.sluice.workers.v1.ResizeAsk;
import io.sluice.workers.v1.SchedulerFrame;
import io.sluice.workers.v1.WorkerFrame;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.client.GrpcClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Goal: what workers report of use, sets and sizes counts. Method: workers of the test, the real ledger and placement.
 */
class WorkersUseTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final String HERE = "127.0.0.1";
    private static final long GIB = 1L << 30;

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final int port = LoopbackPorts.next();
    private final int controlPort = LoopbackPorts.next();
    private final GrpcClient client = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
    private RoleRuntime scheduler;
    private ControlClient control;

    @BeforeEach
    void start() throws StartException {
        var yaml = """
            roles: [ledger, placement, workers]
            placement: {policy: spread}
            gateway: {ops: {port: 0}}
            workers: {port: %d, controlPort: %d, store: %s, lease: 5m}
            """.formatted(port, controlPort, directory.resolve("store"));
        scheduler = RoleRuntime.start(
                Settings.read(ProcessConfigSources.of(YamlText.parse(yaml, "test.yaml"), Map.of(), Map.of())),
                Optional.empty());
        control = new ControlClient(vertx, HERE, controlPort, WorkersTls.NONE);
    }

    @AfterEach
    void stop() {
        scheduler.stop();
        vertx.close();
    }

    private TestWorker worker(String id) {
        return new TestWorker(client, port, id, "Process");
    }

    private Instance run(String id, long milliCpu) {
        return run(id, milliCpu, Map.of());
    }

    private Instance run(String id, long milliCpu, Map<String, String> selector) {
        control.call(
                        GrpcMethods.SUBMIT,
                        WorkloadSpec.newBuilder()
                                .setWorkloadId("work")
                                .putAllSelector(selector)
                                .setInstanceId(id)
                                .setDefinition("{\"kind\":\"Process\"}")
                                .addAllRequests(WireForm.resources(new Resources(milliCpu, milliCpu * GIB / 1_000)))
                                .build())
                .await();
        return await().atMost(WITHIN)
                .until(() -> instance(id), instance -> instance.getState().equals("RUNNING"));
    }

    private Instance instance(String id) {
        return control.call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance()).await().getInstancesList().stream()
                .filter(instance -> instance.getInstanceId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private WorkerInfo info(String id) {
        return control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance()).await().getWorkersList().stream()
                .filter(worker -> worker.getWorkerId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("AT-W21 heartbeats carry use, and with the policy spread the next instance goes to the idle worker")
    void use() {
        var workers = Map.of("w1", worker("w1"), "w2", worker("w2"));
        assertThat(info("w1").getUseKnown()).isFalse();
        var busy = run("a", 1_000, Map.of("host", "w1")).getWorkerId();
        var idle = run("b", 2_000, Map.of("host", "w2")).getWorkerId();
        workers.get(busy).heartbeat(80, 6 * GIB, 0);
        workers.get(idle).heartbeat(1, GIB / 10, 0);
        await().atMost(WITHIN)
                .until(() -> info(busy).getUseKnown() && info(idle).getUseKnown());
        assertThat(info(busy).getCpuPercent()).isEqualTo(80);
        assertThat(info(busy).getMemoryUsed()).isEqualTo(6 * GIB);
        // By what is reserved alone, a hundred of these would go to the busy one, where less is reserved.
        var last = IntStream.range(0, 40)
                .mapToObj(i -> run("c" + i, 10).getWorkerId())
                .filter(idle::equals)
                .findFirst();
        assertThat(last).isPresent();
    }

    @Test
    void twoHeartbeatsWithAnotherSetRequestTheInventory() {
        var worker = worker("w1");
        run("a", 1_000);
        worker.heartbeat(0, 0, WorkerUse.hash(worker.set()));
        worker.heartbeat(0, 0, WorkerUse.hash(List.of()));
        worker.heartbeat(0, 0, WorkerUse.hash(worker.set()));
        worker.heartbeat(0, 0, WorkerUse.hash(List.of()));
        await().atMost(WITHIN)
                .until(() -> worker.frames().stream()
                                .filter(SchedulerFrame::hasHeartbeatAck)
                                .count()
                        == 4);
        assertThat(worker.frames()).noneMatch(SchedulerFrame::hasInventory);
        worker.heartbeat(0, 0, WorkerUse.hash(List.of()));
        await().atMost(WITHIN).until(() -> worker.frames().stream().anyMatch(SchedulerFrame::hasInventory));
    }

    @Test
    @DisplayName("AT-W13 a worker's own request for more gets what there is, and one for less is applied")
    void requestsOfWorkers() {
        var worker = worker("w1");
        run("neighbour", 2_000);
        run("a", 1_000);
        worker.send(WorkerFrame.newBuilder()
                .setResize(ResizeAsk.newBuilder()
                        .setInstanceId("a")
                        .addAllWant(WireForm.resources(new Resources(3_000, GIB)))));
        await().atMost(WITHIN).until(() -> granted("a") == 1_800);
        worker.send(WorkerFrame.newBuilder()
                .setResize(ResizeAsk.newBuilder()
                        .setInstanceId("a")
                        .addAllWant(WireForm.resources(new Resources(500, GIB)))));
        await().atMost(WITHIN).until(() -> granted("a") == 500);
        assertThat(run("b", 1_300).getWorkerId()).isEqualTo("w1");
        assertThat(worker.frames()).filteredOn(SchedulerFrame::hasResize).hasSize(2);
    }

    @Test
    void listsArePrintedForOtherProgramsToo() {
        var worker = worker("w1");
        run("a", 1_000);
        assertThat(worker.instances()).containsOnlyKeys("a");
        assertThat(new JsonObject(printed("instances", "json"))
                        .getJsonArray("instances")
                        .getJsonObject(0)
                        .getMap())
                .containsEntry("id", "a")
                .containsEntry("state", "RUNNING")
                .containsEntry("worker", "w1")
                .containsEntry("milliCpu", 1_000)
                .containsEntry("exclusive", false);
        assertThat(printed("instances", "yaml")).contains("- id: a\n", "  worker: w1\n");
        var listed = new JsonObject(printed("workers", "json"))
                .getJsonArray("workers")
                .getJsonObject(0);
        assertThat(listed.getString("id")).isEqualTo("w1");
        assertThat(listed.getJsonObject("labels").getString("host")).isEqualTo("w1");
        assertThat(listed.getInteger("instances")).isEqualTo(1);
        assertThat(printed("workers", "table")).startsWith("ID  ");
    }

    private String printed(String command, String format) {
        return CapturedOutput.of(() -> assertThat(
                        new CommandLine(command.equals("workers") ? new WorkersCommand() : new InstancesCommand())
                                .setCaseInsensitiveEnumValuesAllowed(true)
                                .execute("--control", HERE + ":" + controlPort, "list", "-o", format))
                .isZero());
    }

    @Test
    @DisplayName("AT-W20 three of a gang get their orders once there is room for all, and none before")
    void gang() {
        var first = List.of(worker("w1"), worker("w2"));
        for (var id : List.of("a", "b", "c")) {
            submitToGang(id);
        }
        await().atMost(WITHIN)
                .until(() -> Stream.of("a", "b", "c")
                        .allMatch(id -> instance(id).getReason().startsWith("GANG_NO_ROOM(2/3)")));
        assertThat(first).allMatch(worker -> worker.instances().isEmpty());
        // No room is held: another instance gets all that a worker has.
        assertThat(run("whole", 3_800, Map.of("host", "w1")).getState()).isEqualTo("RUNNING");
        assertThat(first).allMatch(worker -> !worker.instances().containsKey("a"));

        var others = List.of(worker("w3"), worker("w4"));
        await().atMost(WITHIN)
                .until(() -> Stream.of("a", "b", "c")
                        .allMatch(id -> instance(id).getState().equals("RUNNING")));
        assertThat(others).allMatch(worker -> worker.instances().size() == 1);
    }

    private void submitToGang(String id) {
        control.call(
                        GrpcMethods.SUBMIT,
                        WorkloadSpec.newBuilder()
                                .setWorkloadId("work")
                                .setInstanceId(id)
                                .setDefinition("{\"kind\":\"Process\"}")
                                .addAllRequests(WireForm.resources(new Resources(3_000, GIB)))
                                .setGang(Gang.newBuilder().setName("gang").setMinMembers(3))
                                .build())
                .await();
    }

    private long granted(String id) {
        return WireForm.amounts(instance(id).getGrantList()).milliCpu();
    }
}
