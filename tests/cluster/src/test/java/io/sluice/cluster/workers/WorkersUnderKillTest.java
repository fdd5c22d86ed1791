package io.sluice.cluster.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cluster.process.Command;
import io.sluice.cluster.roles.Distribution;
import io.sluice.cluster.roles.OnlyWithFaults;
import io.sluice.cluster.roles.Ports;
import io.sluice.cluster.roles.ProcessFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whatever dies or stands still, nothing that runs on workers is stopped for it, and no exclusive instance runs
 * twice. Method: a scheduler with its store in a file and three workers are real processes; all processes of instances
 * are counted the whole time.
 */
@OnlyWithFaults
class WorkersUnderKillTest {
    private static final Duration WITHIN = Duration.ofSeconds(120);
    private static final Duration STILL = Duration.ofSeconds(15);
    private static final List<String> WORKERS = List.of("w1", "w2", "w3");
    private static final int INSTANCES = 12;
    private static final int EXCLUSIVE_OF = 3;

    /** Instance n sleeps for this many seconds and n more, by which its processes are found. */
    private static final int SLEEPS = 100_000;

    @TempDir
    private Path directory;

    private final int port = Ports.next();
    private final int controlPort = Ports.next();
    private final Map<String, Process> processes = new HashMap<>();
    private final Set<Integer> twice = new ConcurrentSkipListSet<>();
    private volatile boolean watches = true;
    private Thread watching;

    @BeforeEach
    void start() throws IOException {
        startScheduler();
        for (var worker : WORKERS) {
            startWorker(worker);
        }
        for (int i = 0; i < INSTANCES; i++) {
            create(i);
        }
        awaitAll();
        watching = Thread.ofPlatform().start(this::watch);
    }

    @AfterEach
    void stop() throws Exception {
        watches = false;
        if (watching != null) {
            watching.join();
        }
        for (var process : processes.values()) {
            signal("CONT", process);
            process.destroy();
            process.waitFor();
        }
        running().values().forEach(all -> all.forEach(ProcessHandle::destroyForcibly));
    }

    private Process start(String name, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Distribution.home().resolve("bin").resolve("sluice").toString());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".log").toFile()));
        builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx192m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        var process = builder.start();
        processes.put(name, process);
        return process;
    }

    private void startScheduler() throws IOException {
        var config = Files.writeString(
                directory.resolve("scheduler.yaml"), """
                    roles: [ledger, placement, workers]
                    placement: {scorePeak: 0}
                    gateway: {ops: {port: 0}}
                    workers: {port: %d, controlPort: %d, store: "%s", heartbeat: 1s, lease: 5s, selfFence: 8s, stopGrace: 1s,
                      lostAfter: 20s, recoveryWindow: 10s}
                    """.formatted(port, controlPort, directory.resolve("store")));
        start("scheduler", List.of("run", "--config", config.toString()));
    }

    private void startWorker(String id) throws IOException {
        start(
                id,
                List.of(
                        "worker",
                        "--id",
                        id,
                        "--scheduler",
                        "127.0.0.1:" + port,
                        "--cpu",
                        "8",
                        "--memory",
                        "8Gi",
                        "--allow",
                        "/bin/sleep",
                        "--allow-root",
                        "--directory",
                        directory.resolve(id).toString()));
    }

    private String command(String name, String... arguments) {
        var words = new ArrayList<>(List.of(
                Distribution.home().resolve("bin").resolve("sluice").toString(),
                name,
                "--control",
                "127.0.0.1:" + controlPort));
        words.addAll(List.of(arguments));
        var ended = Command.tried(words);
        return ended.ok() ? ended.output() : "";
    }

    private void create(int number) throws IOException {
        var definition = Files.writeString(
                directory.resolve(number + ".json"),
                "{\"kind\": \"Process\", \"command\": \"/bin/sleep\", \"args\": [\"" + (SLEEPS + number) + "\"]}");
        var arguments = new ArrayList<>(List.of(
                "create", "i" + number, "--definition", definition.toString(), "--cpu", "500m", "--memory", "256Mi"));
        if (isExclusive(number)) {
            arguments.add("--exclusive");
        }
        await().atMost(WITHIN)
                .until(() ->
                        command("instances", arguments.toArray(String[]::new)).contains("created"));
    }

    private static boolean isExclusive(int number) {
        return number % EXCLUSIVE_OF == 0;
    }

    /** The processes of each instance, by its number. */
    private static Map<Integer, Set<ProcessHandle>> running() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").endsWith("sleep"))
                .filter(process -> number(process) >= 0)
                .collect(Collectors.groupingBy(WorkersUnderKillTest::number, Collectors.toCollection(TreeSet::new)));
    }

    private static int number(ProcessHandle process) {
        return process.info()
                .arguments()
                .filter(arguments -> arguments.length == 1 && arguments[0].matches("1000\\d\\d"))
                .map(arguments -> Integer.parseInt(arguments[0]) - SLEEPS)
                .orElse(-1);
    }

    private void watch() {
        while (watches) {
            running().forEach((number, all) -> {
                if (isExclusive(number) && all.size() > 1) {
                    twice.add(number);
                }
            });
        }
    }

    private void awaitAll() {
        await().atMost(WITHIN)
                .until(() -> command("instances", "list")
                                .lines()
                                .filter(line -> line.contains(" RUNNING "))
                                .count()
                        == INSTANCES);
        await().atMost(WITHIN)
                .until(() -> running().size() == INSTANCES
                        && running().values().stream().allMatch(all -> all.size() == 1));
    }

    private static void signal(String name, Process process) {
        Command.tried(List.of("kill", "-" + name, Long.toString(process.pid())));
    }

    private void killScheduler() throws Exception {
        processes.remove("scheduler").destroyForcibly().waitFor();
    }

    private void noExclusiveRanTwice() {
        assertThat(twice).as("exclusive instances that ran twice").isEmpty();
    }

    @Test
    @DisplayName("a scheduler that is killed, and one that stands still, stop nothing that runs")
    void scheduler() throws Exception {
        var before = running();
        killScheduler();
        startScheduler();
        awaitAll();
        assertThat(plain(running())).isEqualTo(plain(before));

        signal("STOP", processes.get("scheduler"));
        ProcessFault.last(STILL);
        assertThat(plain(running())).isEqualTo(plain(before));
        signal("CONT", processes.get("scheduler"));
        awaitAll();
        assertThat(plain(running())).isEqualTo(plain(before));
        noExclusiveRanTwice();
    }

    /** Those of instances that are not exclusive. */
    private static Map<Integer, Set<ProcessHandle>> plain(Map<Integer, Set<ProcessHandle>> all) {
        return all.entrySet().stream()
                .filter(entry -> !isExclusive(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    @DisplayName("what a worker that stands still had runs elsewhere; once it is back, all run once")
    void worker() {
        var busiest = WORKERS.stream()
                .filter(id -> command("instances", "list").contains(" " + id + " "))
                .findFirst()
                .orElseThrow();
        signal("STOP", processes.get(busiest));
        await().atMost(WITHIN)
                .until(() -> command("instances", "list")
                                .lines()
                                .filter(line -> line.contains(" RUNNING ") && !line.contains(" " + busiest + " "))
                                .count()
                        == INSTANCES);
        signal("CONT", processes.get(busiest));
        awaitAll();
        noExclusiveRanTwice();
    }

    @Test
    @DisplayName("a drain goes on over the kill of the scheduler, and all run on other workers")
    void drain() throws Exception {
        assertThat(command("workers", "drain", "w1")).contains("w1");
        killScheduler();
        startScheduler();
        await().atMost(WITHIN)
                .until(() -> command("workers", "list").lines().anyMatch(line -> line.matches("w1 +DRAINED .*")));
        awaitAll();
        assertThat(command("instances", "list")).doesNotContain(" w1 ");
        assertThat(IntStream.range(0, INSTANCES)).allMatch(running()::containsKey);
        noExclusiveRanTwice();
    }
}
