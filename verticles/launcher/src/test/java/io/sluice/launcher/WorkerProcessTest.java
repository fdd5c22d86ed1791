package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Goal: the three terminals of the README, and what becomes of instances when processes are killed or stopped. Method:
 * scheduler and worker are processes of their own; the commands of the third terminal run here.
 */
class WorkerProcessTest {
    private static final Duration WITHIN = Duration.ofSeconds(100);
    private static final Duration LOOK_EVERY = Duration.ofMillis(300);
    /** No worker that changes between schedulers is lost before. */
    private static final String LONG = "selfFence: 2s, lostAfter: 60s";

    @TempDir
    private Path directory;

    private final List<Process> processes = new ArrayList<>();
    private final int port = LoopbackPorts.next();
    private final int controlPort = LoopbackPorts.next();
    private final List<Integer> controlPorts = new ArrayList<>(List.of(controlPort));

    @AfterEach
    void stop() throws Exception {
        // A stopped process heeds no other signal.
        for (var process : processes) {
            signal("CONT", process);
            process.destroy();
        }
        for (var process : processes) {
            process.waitFor();
        }
    }

    private Process start(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        processes.add(process);
        return process;
    }

    private Process scheduler(String fence) throws IOException {
        return scheduler(port, controlPort, directory.resolve("store").toString(), fence);
    }

    private Process scheduler(int workers, int control, String store, String fence) throws IOException {
        var config = Files.writeString(
                directory.resolve("scheduler-" + workers + ".yaml"), """
                    roles: [ledger, placement, workers]
                    placement: {scorePeak: 0}
                    gateway: {ops: {port: 0}}
                    workers: {port: %d, controlPort: %d, store: "%s", heartbeat: 200ms, lease: 10s, stopGrace: 1s,
                      recoveryWindow: 5s, %s}
                    """.formatted(workers, control, store, fence));
        return start("run", "--config", config.toString());
    }

    private Process worker(String... more) throws IOException {
        return workerOf("127.0.0.1:" + port, more);
    }

    private Process workerOf(String schedulers, String... more) throws IOException {
        var arguments = new ArrayList<>(List.of(
                "worker",
                "--id",
                "w1",
                "--scheduler",
                schedulers,
                "--cpu",
                "4",
                "--memory",
                "8Gi",
                "--allow",
                "/bin/sleep",
                "--allow-root",
                "--directory",
                directory.resolve("w1").toString()));
        arguments.addAll(List.of(more));
        return start(arguments.toArray(String[]::new));
    }

    private static void signal(String name, Process process) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** Of the scheduler that leads. */
    private String instances(String... arguments) {
        return command("instances", arguments);
    }

    private String command(String name, String... arguments) {
        return controlPorts.stream()
                .map(control -> command(control, name, arguments))
                .filter(output -> !output.contains("sluice: "))
                .findFirst()
                .orElse("");
    }

    private String command(int control, String name, String... arguments) {
        var command = new ArrayList<>(List.of(name, "--control", "127.0.0.1:" + control));
        command.addAll(List.of(arguments));
        return CapturedOutput.of(() -> Main.run(new ProcessLifetime(), command.toArray(String[]::new)));
    }

    /** A command costs a while of a core. */
    private static ConditionFactory within() {
        return await().atMost(WITHIN).pollInterval(LOOK_EVERY);
    }

    private void create(String id, String... more) throws IOException {
        var definition = Files.writeString(
                directory.resolve("sleep.json"),
                "{\"kind\": \"Process\", \"command\": \"/bin/sleep\", \"args\": [\"1000\"]}");
        var arguments = new ArrayList<>(
                List.of("create", id, "--definition", definition.toString(), "--cpu", "500m", "--memory", "256Mi"));
        arguments.addAll(List.of(more));
        within().until(() -> instances(arguments.toArray(String[]::new)).contains("created"));
    }

    private void listed(String id, String state) {
        within().until(() -> instances("list")
                .lines()
                .anyMatch(line -> line.startsWith(id + " ") && line.contains(" " + state + " ")));
    }

    /** The instance's own process; its guard would be a zombie after its end, while its parent is stopped. */
    private ProcessHandle process(String id) {
        return within().until(
                        () ->
                                ProcessHandle.of(Long.parseLong(Files.readString(
                                                directory.resolve("w1").resolve(id + ".pid"))))
                                        .stream()
                                        .flatMap(ProcessHandle::children)
                                        .filter(child -> child.info()
                                                .commandLine()
                                                .orElse("")
                                                .contains("/sleep 1000"))
                                        .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @DisplayName("AT-W10 the three terminals: a scheduler that is killed is back, and nothing has stopped")
    void threeTerminals() throws Exception {
        var scheduler = scheduler(LONG);
        worker();
        create("a");
        listed("a", "RUNNING");
        within().until(() ->
                instances("update", "a", "--cpu", "1", "--memory", "512Mi").contains("generation 2"));
        var running = process("a");

        scheduler.destroyForcibly().waitFor();
        scheduler(LONG);
        listed("a", "RUNNING");
        assertThat(process("a")).isEqualTo(running);
        assertThat(running.isAlive()).isTrue();
        assertThat(instances("list")).contains("w1").contains("512Mi");

        assertThat(instances("delete", "a")).contains("deleted");
        listed("a", "TERMINATED");
        within().until(() -> !running.isAlive());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @DisplayName("AT-W1 a machine joins by a token, renews its certificate, and is banned")
    void joins() throws Exception {
        var authority = directory.resolve("authority");
        scheduler("selfFence: 2s, lostAfter: 6s, enrolment: {enabled: true, certificateLife: 30s, authority: "
                + authority + "}");
        var admin = new String[] {"--identity", authority.resolve("admin").toString()};
        var token = directory.resolve("token");
        within().until(() -> command("workers", admin[0], admin[1], "list").contains("STATE"));
        within().until(() -> command("workers", admin[0], admin[1], "token", "w1", "--out", token.toString())
                .contains("has a token for w1"));
        var worker = worker("--token-file", token.toString());
        within().until(() -> command("workers", admin[0], admin[1], "list").contains("READY"));
        var certificate = directory.resolve("w1").resolve("worker.crt");
        var first = Files.readString(certificate);
        within().until(() -> !Files.readString(certificate).equals(first));
        within().until(() -> command("workers", admin[0], admin[1], "why", "w1").contains("Its certificate ends at"));
        within().untilAsserted(() -> assertThat(command("workers", admin[0], admin[1], "list"))
                .contains("READY")
                .contains(" 1 "));
        assertThat(worker.info().commandLine().orElse(""))
                .doesNotContain(Files.readString(token).strip());

        within().until(() -> command("workers", admin[0], admin[1], "ban", "w1").contains("BANNED"));
        within().until(() -> Files.readString(directory.resolve("log")).contains("is banned"));
        assertThat(command("workers", admin[0], admin[1], "ban", "w1", "--undo"))
                .contains("LOST");
        within().until(() -> command("workers", admin[0], admin[1], "list").contains("READY"));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @DisplayName("AT-W8 a worker that is stopped, then killed: its guards end exclusive instances, the other runs on")
    void stoppedWorker() throws Exception {
        scheduler("selfFence: 4s, lostAfter: 10s");
        var worker = worker();
        create("a");
        create("b", "--exclusive");
        listed("a", "RUNNING");
        listed("b", "RUNNING");
        var plain = process("a");
        var exclusive = process("b");

        signal("STOP", worker);
        within().until(() -> !exclusive.isAlive());
        assertThat(plain.isAlive()).isTrue();

        worker.destroyForcibly().waitFor();
        worker();
        listed("b", "RUNNING");
        listed("a", "RUNNING");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @DisplayName("AT-W9 a worker's program that is killed alone and starts again goes on with what runs")
    void adopts() throws Exception {
        scheduler("selfFence: 40s, lostAfter: 50s");
        var worker = worker();
        create("a");
        create("b", "--exclusive");
        listed("a", "RUNNING");
        listed("b", "RUNNING");
        var running = List.of(process("a"), process("b"));

        worker.destroyForcibly().waitFor();
        // Killed as for want of memory; what ends meanwhile is noticed by the next start.
        worker();
        listed("a", "RUNNING");
        listed("b", "RUNNING");
        assertThat(running).allMatch(ProcessHandle::isAlive);
        assertThat(List.of(process("a"), process("b"))).isEqualTo(running);

        running.getFirst().destroyForcibly();
        // The list shows it only until the instance starts again.
        within().until(() -> Files.readString(directory.resolve("log")).contains("it exited with 137"));
        assertThat(instances("delete", "b")).contains("deleted");
        listed("b", "TERMINATED");
        within().until(() -> !running.getLast().isAlive());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @DisplayName("AT-W10 two schedulers with one database: one replaces the other, paused or killed, and nothing stops")
    void replaced() throws Exception {
        int otherPort = LoopbackPorts.next();
        int otherControl = LoopbackPorts.next();
        try (var database = PostgresServer.start()) {
            var first = scheduler(port, controlPort, database.url(), LONG);
            workerOf("127.0.0.1:" + port + ",127.0.0.1:" + otherPort);
            create("a");
            var other = scheduler(otherPort, otherControl, database.url(), LONG);
            listed("a", "RUNNING");
            var running = process("a");

            signal("STOP", first);
            controlPorts.set(0, otherControl);
            listed("a", "RUNNING");
            create("b");
            listed("b", "RUNNING");
            signal("CONT", first);
            within().until(() -> Files.readString(directory.resolve("log")).contains("serves the workers no more"));
            controlPorts.add(controlPort);

            // What the other one wrote is untouched by the one that was paused.
            other.destroyForcibly().waitFor();
            listed("a", "RUNNING");
            listed("b", "RUNNING");
            assertThat(process("a")).isEqualTo(running);
        }
    }
}
