package io.sluice.cluster.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cluster.process.Command;
import io.sluice.cluster.roles.Distribution;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;

/**
 * Schedulers of one fleet and its three workers, all of them real processes, and twelve instances that sleep. All
 * processes of instances are counted again and again, 10 ms apart.
 */
final class WorkerProcesses implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(120);
    static final List<String> WORKERS = List.of("w1", "w2", "w3");
    static final int INSTANCES = 12;
    private static final int EXCLUSIVE_OF = 3;
    private static final double CORES = 0.5;
    private static final String ALONE = """
        roles: [ledger, placement, workers]
        placement: {scorePeak: 0}
        gateway: {ops: {port: 0}}
        """;

    private static final int OTHER = -1;
    private static final int SLEEPS_FROM = 100_000;
    private static final AtomicInteger FLEETS = new AtomicInteger();

    /** A command is a process, which takes a third of a second of a core. */
    private static final Duration BETWEEN_COMMANDS = Duration.ofMillis(500);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /**
     * Instance n sleeps for this many seconds and n more, by which its processes are found. No other fleet of this
     * process has these.
     */
    private final int sleeps = SLEEPS_FROM + INSTANCES * FLEETS.getAndIncrement();

    private final Path directory;
    private final String store;
    private final String roles;
    private final List<String> prefix;
    private final Map<String, Scheduler> schedulers = new LinkedHashMap<>();
    private final Map<String, Process> processes = new HashMap<>();
    private final Set<String> stopped = new HashSet<>();
    private final Set<Integer> twice = new ConcurrentSkipListSet<>();
    private volatile boolean watches = true;
    private Thread watching;

    private record Scheduler(int port, int controlPort) {}

    /**
     * Prepares them without starting any.
     *
     * @param store of all schedulers
     */
    WorkerProcesses(Path directory, String store, String... names) {
        this(directory, store, ALONE, List.of(), names);
    }

    /**
     * Prepares them without starting any.
     *
     * @param roles the lines of the schedulers' config with their roles and their peers
     * @param prefix of each command, so that all are in one network namespace
     */
    WorkerProcesses(Path directory, String store, String roles, List<String> prefix, String... names) {
        this.directory = directory;
        this.store = store;
        this.roles = roles;
        this.prefix = prefix;
        for (var name : names) {
            schedulers.put(name, new Scheduler(LoopbackPorts.next(), LoopbackPorts.next()));
        }
    }

    /** Starts everything, and waits until all instances run. */
    void start() throws IOException {
        for (var name : schedulers.keySet()) {
            startScheduler(name);
        }
        for (var worker : WORKERS) {
            startWorker(worker);
        }
        for (int i = 0; i < INSTANCES; i++) {
            create(i);
        }
        awaitAll();
        watching = Thread.ofPlatform().start(this::watch);
    }

    @Override
    public void close() {
        watches = false;
        if (watching != null) {
            ended(watching::join);
        }
        for (var process : processes.values()) {
            signal("CONT", process);
            process.destroy();
            ended(process::waitFor);
        }
        running().values().forEach(all -> all.forEach(ProcessHandle::destroyForcibly));
    }

    private interface Awaited {
        void end() throws InterruptedException;
    }

    private static void ended(Awaited awaited) {
        try {
            awaited.end();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(String name, List<String> arguments) throws IOException {
        var command = command();
        command.addAll(arguments);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".log").toFile()));
        builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx192m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        processes.put(name, builder.start());
    }

    private List<String> command() {
        var command = new ArrayList<>(prefix);
        command.add(Distribution.home().resolve("bin").resolve("sluice").toString());
        return command;
    }

    void startScheduler(String name) throws IOException {
        var ports = schedulers.get(name);
        var config = Files.writeString(directory.resolve(name + ".yaml"), """
            %s
            workers: {port: %d, controlPort: %d, store: "%s", heartbeat: 1s, lease: 5s, selfFence: 8s, stopGrace: 1s,
              lostAfter: 20s, recoveryWindow: 10s}
            """.formatted(
                        roles.strip(), ports.port(), ports.controlPort(), store));
        start(name, List.of("run", "--config", config.toString()));
    }

    private void startWorker(String id) throws IOException {
        start(
                id,
                List.of(
                        "worker",
                        "--id",
                        id,
                        "--scheduler",
                        schedulers.values().stream()
                                .map(scheduler -> "127.0.0.1:" + scheduler.port())
                                .collect(Collectors.joining(",")),
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

    /** The output of the first scheduler that serves it; empty if none does. */
    String command(String name, String... arguments) {
        return schedulers.keySet().stream()
                .map(scheduler -> commandTo(scheduler, name, arguments))
                .filter(output -> !output.isEmpty())
                .findFirst()
                .orElse("");
    }

    private String commandTo(String scheduler, String name, String... arguments) {
        var words = command();
        words.addAll(List.of(
                name, "--control", "127.0.0.1:" + schedulers.get(scheduler).controlPort()));
        words.addAll(List.of(arguments));
        if (!serves(scheduler)) {
            return "";
        }
        var ended = Command.tried(words);
        return ended.ok() ? ended.output() : "";
    }

    /** A process that is stopped would keep its caller waiting. */
    private boolean serves(String scheduler) {
        return processes.containsKey(scheduler) && !stopped.contains(scheduler);
    }

    /** The scheduler that serves controllers. */
    String leader() {
        return withCommands()
                .until(
                        () -> schedulers.keySet().stream()
                                .filter(name ->
                                        !commandTo(name, "instances", "list").isEmpty())
                                .findFirst()
                                .orElse(""),
                        name -> !name.isEmpty());
    }

    private void create(int number) throws IOException {
        var definition = Files.writeString(
                directory.resolve(number + ".json"),
                "{\"kind\": \"Process\", \"command\": \"/bin/sleep\", \"args\": [\"" + (sleeps + number) + "\"]}");
        var arguments = new ArrayList<>(List.of(
                "create", "i" + number, "--definition", definition.toString(), "--cpu", "500m", "--memory", "256Mi"));
        if (isExclusive(number)) {
            arguments.add("--exclusive");
        }
        withCommands()
                .until(() ->
                        command("instances", arguments.toArray(String[]::new)).contains("created"));
    }

    private static boolean isExclusive(int number) {
        return number % EXCLUSIVE_OF == 0;
    }

    /** The processes of each instance, by its number. */
    Map<Integer, Set<ProcessHandle>> running() {
        Map<Integer, Set<ProcessHandle>> byNumber = ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").endsWith("sleep"))
                .collect(Collectors.groupingBy(this::number, Collectors.toCollection(TreeSet::new)));
        byNumber.remove(OTHER);
        return byNumber;
    }

    private int number(ProcessHandle process) {
        return process.info()
                .arguments()
                .filter(arguments -> arguments.length == 1 && arguments[0].matches("1\\d{5}"))
                .map(arguments -> Integer.parseInt(arguments[0]) - sleeps)
                .filter(number -> number >= 0 && number < INSTANCES)
                .orElse(OTHER);
    }

    private void watch() {
        while (watches) {
            running().forEach((number, all) -> {
                if (isExclusive(number) && all.size() > 1) {
                    twice.add(number);
                }
            });
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    /** Waits for what commands show, with a pause between them. */
    static ConditionFactory withCommands() {
        return await().pollDelay(Duration.ZERO).pollInterval(BETWEEN_COMMANDS).atMost(WITHIN);
    }

    void awaitAll() {
        withCommands()
                .until(() -> command("instances", "list")
                                .lines()
                                .filter(line -> line.contains(" RUNNING "))
                                .count()
                        == INSTANCES);
        await().atMost(WITHIN)
                .until(() -> running().size() == INSTANCES
                        && running().values().stream().allMatch(all -> all.size() == 1));
    }

    /** The cores of each worker that are reserved by what is listed. */
    Map<String, Double> reserved() {
        var lines = command("instances", "list").lines().toList();
        return WORKERS.stream()
                .collect(Collectors.toMap(
                        worker -> "worker:" + worker,
                        worker -> CORES
                                * lines.stream()
                                        .filter(line -> line.contains(" " + worker + " "))
                                        .count()));
    }

    private static void signal(String name, Process process) {
        Command.tried(List.of("kill", "-" + name, Long.toString(process.pid())));
    }

    /** The process stands still. */
    void pause(String name) {
        stopped.add(name);
        signal("STOP", processes.get(name));
    }

    void goOn(String name) {
        signal("CONT", processes.get(name));
        stopped.remove(name);
    }

    void kill(String name) throws InterruptedException {
        processes.remove(name).destroyForcibly().waitFor();
    }

    void noExclusiveRanTwice() {
        assertThat(twice).as("exclusive instances that ran twice").isEmpty();
    }

    /** The processes of instances that are not exclusive. */
    Map<Integer, Set<ProcessHandle>> plain() {
        return running().entrySet().stream()
                .filter(entry -> !isExclusive(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
