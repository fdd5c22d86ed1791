package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.launcher.config.Settings;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.agent.WorkerAgent;
import io.sluice.workers.agent.WorkerOptions;
import io.sluice.workers.control.v1.DrainRequest;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.InstanceRef;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.UpdateRequest;
import io.sluice.workers.control.v1.UpdateStrategy;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: workers with real processes, through the ledger and placement that exist. Method: one process with the roles
 * ledger, placement and workers, and the program of each worker beside it.
 */
class WorkersTest {
    private static final long GIB = 1L << 30;
    private static final String LONG = "lease: 10s, selfFence: 40s, lostAfter: 50s";

    /** Longer than a worker that refused an instance gets it no more. */
    private static final Duration WITHIN = Duration.ofSeconds(100);

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, String> deployed = new HashMap<>();
    private final int port = LoopbackPorts.next();
    private final int controlPort = LoopbackPorts.next();
    private final ControlClient control = new ControlClient(vertx, "127.0.0.1", controlPort, WorkersTls.NONE);
    private RoleRuntime scheduler;

    @BeforeEach
    void start() throws StartException {
        startScheduler(LONG);
    }

    @AfterEach
    void stop() throws Exception {
        for (var worker : List.copyOf(deployed.keySet())) {
            stopWorker(worker);
        }
        scheduler.stop();
        value(vertx.close());
    }

    private void startScheduler(String times) throws StartException {
        var yaml = """
            roles: [ledger, placement, workers]
            placement: {scorePeak: 0}
            gateway: {ops: {port: 0}}
            workers: {port: %d, controlPort: %d, store: "%s", heartbeat: 200ms, stopGrace: 1s, recoveryWindow: 5s, %s}
            """.formatted(port, controlPort, directory.resolve("store"), times);
        var sources = ProcessConfigSources.of(YamlText.parse(yaml, "test.yaml"), Map.of(), Map.of());
        scheduler = RoleRuntime.start(Settings.read(sources), Optional.empty());
    }

    private void startWorker(String id) throws Exception {
        var options = new WorkerOptions(
                id,
                "127.0.0.1",
                port,
                new Resources(4_000, 8 * GIB),
                Map.of(),
                List.of("/bin/sh", "/bin/sleep"),
                List.of(directory.resolve("rootfs").toString()),
                directory.resolve(id),
                WorkersTls.NONE,
                Optional.empty());
        deployed.put(id, value(vertx.deployVerticle(new WorkerAgent(options, new Random(1)))));
        awaitsWorker(id, "READY");
    }

    private void awaitsWorker(String id, String state) {
        await().atMost(WITHIN)
                .until(() ->
                        value(control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance()))
                                .getWorkersList()
                                .stream()
                                .anyMatch(worker -> worker.getWorkerId().equals(id)
                                        && worker.getState().equals(state)));
    }

    private void stopWorker(String id) throws Exception {
        value(vertx.undeploy(deployed.remove(id)));
    }

    private static <T> T value(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    }

    private static WorkloadSpec.Builder sleeping(String id, long milliCpu) {
        return spec(id, milliCpu, "/bin/sleep", List.of("1000"), Map.of());
    }

    private static WorkloadSpec.Builder spec(
            String id, long milliCpu, String command, List<String> arguments, Map<String, Object> environment) {
        var definition = new JsonObject()
                .put("kind", "Process")
                .put("command", command)
                .put("args", new JsonArray(new ArrayList<>(arguments)))
                .put("env", new JsonObject(environment));
        return WorkloadSpec.newBuilder()
                .setWorkloadId("work")
                .setInstanceId(id)
                .setDefinition(definition.encode())
                .addAllRequests(WireForm.resources(new Resources(milliCpu, GIB)));
    }

    private SubmitResult submit(WorkloadSpec.Builder spec) throws Exception {
        return value(control.call(GrpcMethods.SUBMIT, spec.build()));
    }

    private SubmitResult update(String id, long milliCpu) throws Exception {
        return value(control.call(
                GrpcMethods.UPDATE,
                UpdateRequest.newBuilder()
                        .setInstanceId(id)
                        .addAllRequests(WireForm.resources(new Resources(milliCpu, GIB)))
                        .build()));
    }

    /** What is refused, as while the last order is open, changes nothing. */
    private static SubmitResult accepted(Callable<SubmitResult> request) {
        return await().atMost(WITHIN)
                .ignoreExceptionsMatching(failure -> failure.getCause() instanceof ControlClient.Refused)
                .until(request, reply -> true);
    }

    private List<Instance> instances() throws Exception {
        return value(control.call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance()))
                .getInstancesList();
    }

    private Instance instance(String id) throws Exception {
        return instances().stream()
                .filter(instance -> instance.getInstanceId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private Instance awaits(String id, Predicate<Instance> wanted) {
        return await().atMost(WITHIN).until(() -> instance(id), wanted);
    }

    private Instance runs(String id) {
        return awaits(id, instance -> instance.getState().equals("RUNNING"));
    }

    /** The process of the guard that runs an instance. */
    private ProcessHandle guard(String worker, String id) throws IOException {
        var pid = Files.readString(directory.resolve(worker).resolve(id + ".pid"));
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    @Test
    @DisplayName("AT-W4 a third instance of 1500m waits with the reason, and one of 5000m is refused with the best")
    void capacity() throws Exception {
        startWorker("w1");
        for (var id : List.of("a", "b", "c")) {
            submit(sleeping(id, 1_500));
        }
        var waits = await().atMost(WITHIN)
                .until(
                        () -> instances().stream()
                                .filter(instance -> instance.getReason().contains("short of 700m CPU"))
                                .toList(),
                        found -> found.size() == 1);
        assertThat(waits.getFirst().getState()).isEqualTo("PENDING");
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(instances())
                        .extracting(Instance::getState)
                        .containsExactlyInAnyOrder("PENDING", "RUNNING", "RUNNING"));

        assertThatThrownBy(() -> submit(sleeping("large", 5_000)))
                .hasRootCauseInstanceOf(ControlClient.Refused.class)
                .hasMessageContaining("FAILED_PRECONDITION")
                .hasMessageContaining("3800m");
    }

    @Test
    @DisplayName("AT-W5 four instances one after another go to both workers, two to each")
    void bothWorkers() throws Exception {
        startWorker("w1");
        startWorker("w2");
        for (var id : List.of("a", "b", "c", "d")) {
            submit(sleeping(id, 1_000));
            runs(id);
        }
        assertThat(instances()).extracting(Instance::getWorkerId).containsExactlyInAnyOrder("w1", "w1", "w2", "w2");
    }

    @Test
    @DisplayName(
            "AT-W13 an update grows in place through a permit; what the worker lacks is refused, and nothing changes")
    void update() throws Exception {
        startWorker("w1");
        submit(sleeping("neighbour", 1_000));
        submit(sleeping("a", 1_000));
        runs("neighbour");
        runs("a");
        var process = guard("w1", "a");

        assertThat(accepted(() -> update("a", 2_000)).getGeneration()).isEqualTo(2);
        // Until the worker has applied the size, another one is refused as UNAVAILABLE.
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThatThrownBy(() -> update("a", 3_500))
                        .hasMessageContaining("RESOURCE_EXHAUSTED")
                        .hasMessageContaining("short of 700m CPU"));
        assertThatThrownBy(() -> update("a", 5_000))
                .hasMessageContaining("FAILED_PRECONDITION")
                .hasMessageContaining("3800m");
        assertThat(runs("a").getGeneration()).isEqualTo(2);
        assertThat(guard("w1", "a")).isEqualTo(process);

        // What is given back is free for others.
        accepted(() -> update("a", 500));
        submit(sleeping("b", 2_300));
        runs("b");
    }

    private SubmitResult amend(String id, UpdateStrategy strategy, long milliCpu) throws Exception {
        return value(control.call(
                GrpcMethods.UPDATE,
                UpdateRequest.newBuilder()
                        .setInstanceId(id)
                        .setStrategy(strategy)
                        .setDefinition(sleeping(id, milliCpu).getDefinition().replace("1000", "2000"))
                        .addAllRequests(WireForm.resources(new Resources(milliCpu, GIB)))
                        .build()));
    }

    private void awaitsCommand(String worker, String id, String part) {
        await().atMost(WITHIN) // The file of its guard is absent for a moment.
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> guard(worker, id)
                        .descendants()
                        .anyMatch(process ->
                                process.info().commandLine().orElse("").contains(part)));
    }

    @Test
    @DisplayName("AT-W13 updates by Recreate and Replace run the new content; without room the old one runs on")
    void updatesByStartingAnew() throws Exception {
        startWorker("w1");
        startWorker("w2");
        submit(sleeping("a", 1_000));
        var first = runs("a").getWorkerId();
        var other = first.equals("w1") ? "w2" : "w1";

        accepted(() -> amend("a", UpdateStrategy.RECREATE, 1_500));
        awaitsCommand(first, "a", "sleep 2000");
        assertThat(runs("a").getWorkerId()).isEqualTo(first);

        accepted(() -> amend("a", UpdateStrategy.REPLACE, 2_000));
        awaits(
                "a",
                instance -> instance.getState().equals("RUNNING")
                        && instance.getWorkerId().equals(other));
        // The room on the first one is free again.
        submit(sleeping("b", 3_800));
        assertThat(runs("b").getWorkerId()).isEqualTo(first);

        assertThatThrownBy(() -> amend("a", UpdateStrategy.REPLACE, 2_500)).hasMessageContaining("RESOURCE_EXHAUSTED");
        assertThatThrownBy(() -> amend("b", UpdateStrategy.RECREATE, 5_000))
                .hasMessageContaining("FAILED_PRECONDITION");
        assertThat(runs("a").getWorkerId()).isEqualTo(other);
        assertThat(instance("a").getReason()).contains("given up");
    }

    @Test
    @DisplayName("AT-W14 drain: each of three instances runs on the free worker before the old one stops")
    void drain() throws Exception {
        startWorker("w1");
        for (var id : List.of("a", "b", "c")) {
            submit(sleeping(id, 1_000));
            runs(id);
        }
        startWorker("w2");
        var old = List.of(guard("w1", "a"), guard("w1", "b"), guard("w1", "c"));
        var drained = value(control.call(
                GrpcMethods.DRAIN, DrainRequest.newBuilder().setWorkerId("w1").build()));
        assertThat(drained.getState()).isEqualTo("DRAINING");
        for (var id : List.of("a", "b", "c")) {
            awaits(
                    id,
                    instance -> instance.getState().equals("RUNNING")
                            && instance.getWorkerId().equals("w2"));
        }
        await().atMost(WITHIN).until(() -> old.stream().noneMatch(ProcessHandle::isAlive));
        awaitsWorker("w1", "DRAINED");
        submit(sleeping("d", 1_000));
        awaits("d", instance -> instance.getReason().contains("short of"));
    }

    @Test
    @DisplayName("AT-W10 a scheduler that ends and starts anew stops nothing, and its ledger is as before")
    void restart() throws Exception {
        startWorker("w1");
        submit(sleeping("a", 1_000));
        submit(sleeping("b", 1_000).setExclusive(true));
        runs("a");
        runs("b");
        var processes = List.of(guard("w1", "a"), guard("w1", "b"));

        scheduler.stop();
        startScheduler(LONG);
        List.of("a", "b").forEach(this::runs);
        assertThat(processes).allMatch(ProcessHandle::isAlive);
        assertThat(List.of(guard("w1", "a"), guard("w1", "b"))).isEqualTo(processes);

        submit(sleeping("c", 2_000));
        awaits("c", instance -> instance.getReason().contains("short of 200m CPU"));
        value(control.call(
                GrpcMethods.REMOVE, InstanceRef.newBuilder().setInstanceId("a").build()));
        runs("c");
        await().atMost(WITHIN).until(() -> !processes.getFirst().isAlive());
    }

    @Test
    @DisplayName(
            "AT-W8 an exclusive instance that heeds no signal ends by its fence once its worker is cut off; any other"
                    + " runs on")
    void fence() throws Exception {
        var times = "lease: 5s, selfFence: 8s, lostAfter: 12s";
        scheduler.stop();
        startScheduler(times);
        startWorker("w1");
        submit(sleeping("a", 1_000));
        submit(spec("b", 1_000, "/bin/sh", List.of("-c", "trap '' TERM; while :; do sleep 1; done"), Map.of())
                .setExclusive(true));
        runs("a");
        runs("b");
        var plain = guard("w1", "a");
        var exclusive = guard("w1", "b");

        scheduler.stop();
        await().atMost(WITHIN).until(() -> !exclusive.isAlive());
        assertThat(plain.isAlive()).isTrue();

        startScheduler(times);
        awaits("b", instance -> instance.getState().equals("RUNNING") && instance.getGeneration() > 1);
        assertThat(plain.isAlive()).isTrue();
    }

    @Test
    @DisplayName("AT-W18 an instance that fails starts again, with its exit status in the event")
    void startsAgain() throws Exception {
        startWorker("w1");
        submit(spec("a", 500, "/bin/sh", List.of("-c", "exit 3"), Map.of()));
        awaits("a", WorkersTest::failsAgainWith3);
    }

    /** The reason is gone while it is created, and back once it fails again. */
    private static boolean failsAgainWith3(Instance instance) {
        return instance.getGeneration() > 1 && instance.getReason().contains("exited with 3");
    }

    /** A pod of the shell, the programs sleep and unshare, and what they link to. */
    private WorkloadSpec.Builder pod(String id, String script) throws Exception {
        var root = directory.resolve("rootfs");
        for (var file : List.of(
                "/bin/sleep",
                "/bin/sh",
                "/usr/bin/unshare",
                "/lib64/ld-linux-x86-64.so.2",
                "/lib/x86_64-linux-gnu/libc.so.6")) {
            var copy = root.resolve(file.substring(1));
            Files.createDirectories(copy.getParent());
            if (!Files.exists(copy)) {
                Files.copy(Path.of(file), copy);
            }
        }
        for (var mounted : List.of("proc", "dev", "tmp")) {
            Files.createDirectories(root.resolve(mounted));
        }
        var container = new JsonObject()
                .put("name", id)
                .put("rootfs", root.toString())
                .put("command", new JsonArray().add("/bin/sh").add("-c").add(script))
                .put("env", new JsonObject().put("PASSWORD", "hidden"));
        return sleeping(id, 500)
                .setDefinition(new JsonObject()
                        .put("kind", "Pod")
                        .put("spec", new JsonObject().put("containers", new JsonArray().add(container)))
                        .encode());
    }

    private static Stream<ProcessHandle> sleepers() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains("sleep 3000"));
    }

    @Test
    @EnabledIf("runcRuns")
    void aPodRunsInRuncAndEndsWithItsInstance() throws Exception {
        startWorker("w1");
        submit(pod("a", "[ ${#PASSWORD} = 6 ] && exec sleep 3000"));
        runs("a");
        await().atMost(WITHIN).until(() -> sleepers().findAny().isPresent());
        value(control.call(
                GrpcMethods.REMOVE, InstanceRef.newBuilder().setInstanceId("a").build()));
        awaits("a", instance -> instance.getState().equals("TERMINATED"));
        assertThat(sleepers()).isEmpty();
    }

    /** The file is opened to be written to, and nothing is written. */
    @Test
    @EnabledIf("runcRuns")
    void aPodWritesNothingToTheMachinesKernel() throws Exception {
        startWorker("w1");
        submit(pod("a", """
            [ -e /proc/sys/kernel/core_pattern ] || exit 4
            true >> /proc/sys/kernel/core_pattern && exit 5
            exit 3\
            """));
        awaits("a", WorkersTest::failsAgainWith3);
    }

    /** In a namespace of users of its own a process would have every capability again. */
    @Test
    @EnabledIf("runcRuns")
    void aPodMakesNoNamespaceOfUsers() throws Exception {
        startWorker("w1");
        submit(pod("a", """
            command -v unshare || exit 4
            unshare --user sleep 0 && exit 5
            exit 3\
            """));
        awaits("a", WorkersTest::failsAgainWith3);
    }

    static boolean runcRuns() {
        return Files.isExecutable(Path.of("/usr/sbin/runc"))
                && System.getProperty("user.name").equals("root");
    }

    @Test
    void secretsAreInNoArgument() throws Exception {
        startWorker("w1");
        submit(spec(
                "a",
                500,
                "/bin/sh",
                List.of("-c", "[ ${#PASSWORD} = 6 ] && sleep 1000; exit 9"),
                Map.of("PASSWORD", "hidden")));
        runs("a");
        await().atMost(WITHIN).until(() -> guard("w1", "a").descendants().count() > 0);
        assertThat(guard("w1", "a")
                        .descendants()
                        .map(process -> process.info().commandLine().orElse("")))
                .isNotEmpty()
                .noneMatch(line -> line.contains("hidden"));
    }

    @Test
    void aProgramThatIsNotAllowedIsRefused() throws Exception {
        startWorker("w1");
        submit(spec("a", 500, "/bin/ls", List.of(), Map.of()));
        awaits("a", instance -> instance.getReason().contains("not among those"));
    }
}
