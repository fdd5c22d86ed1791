package io.sluice.dashboards;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.guest.GuestSnapshot;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sluice as an operator has it: processes of the distribution, here three of which each has a ledger's state, beside
 * the demo's fleet, with the alerts in a real Prometheus. The fleet runs in this process, so that it can be given
 * faults.
 */
final class Installation implements AutoCloseable {
    private static final int LEDGERS = 3;
    private static final Duration READY_WITHIN = Duration.ofSeconds(240);
    private static final Duration COMMAND_MAX = Duration.ofSeconds(60);
    private static final String PATCHED = "sum(sluice_vm_patches_total{outcome=\"patched\"}) >= 10";
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final Path folder;
    private final Vertx vertx = Vertx.vertx();
    private final LabVerticle lab;
    private final List<Process> processes = new ArrayList<>();
    private final List<Demo.Ports> ports =
            IntStream.range(0, LEDGERS).mapToObj(i -> Demo.Ports.free()).toList();
    private final HttpClient client = HttpClient.newHttpClient();
    private ApiRelay relay;
    private Prometheus prometheus;

    private Installation(Path folder) {
        this.folder = folder;
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        this.lab = new LabVerticle(LabConfig.DEFAULTS, shell, FleetPlan.nodes());
    }

    /**
     * Starts all of it, and waits until every process is ready and each VM has its own runner.
     *
     * @param options further keys of the process that has all roles, as {@code -Dsluice.key=value}
     * @param alerts the file of alerting rules
     */
    static Installation start(Path folder, List<String> options, Path alerts) throws Exception {
        var started = new Installation(folder);
        try {
            started.vertx.deployVerticle(started.lab).await();
            started.relay = new ApiRelay(URI.create(started.lab.apiUrl()));
            for (int i = 0; i < LEDGERS; i++) {
                started.run(i, i == 0 ? options : List.of());
            }
            started.prometheus = Prometheus.start(folder, started.targets(), List.of(alerts));
            await("readiness").atMost(READY_WITHIN).until(started::isReady);
            return started;
        } catch (Exception | AssertionError failed) {
            started.close();
            throw failed;
        }
    }

    private void run(int number, List<String> options) throws IOException {
        var mine = ports.get(number);
        var addresses = String.join(
                ",",
                ports.stream().map(member -> "127.0.0.1:" + member.hazelcast()).toList());
        var home = Files.createDirectories(folder.resolve("process-" + number));
        var config = Files.writeString(
                home.resolve("sluice.yaml"), "roles: [" + (number == 0 ? "all" : "ledger, gateway") + "]\n");
        var command = Stream.of(
                        Stream.of(Demo.START_SCRIPT.toAbsolutePath().toString(), "run", "--config=" + config),
                        mine.options().stream(),
                        Stream.of(
                                "-Dsluice.hazelcast.join=tcp",
                                "-Dsluice.hazelcast.addresses=" + addresses,
                                "-Dsluice.hazelcast.ledgers=" + LEDGERS,
                                "-Dsluice.kubernetes.url=" + relay.url(),
                                "-Dsluice.kubernetes.tokenFile=",
                                "-Dsluice.kubernetes.caFile=",
                                "-Dsluice.lease.enabled=false"),
                        options.stream())
                .flatMap(part -> part)
                .toList();
        processes.add(new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start());
    }

    private List<String> targets() {
        return Stream.concat(
                        ports.stream().map(Demo.Ports::opsAddress),
                        Stream.of("127.0.0.1:" + ports.getFirst().vmMetrics()))
                .toList();
    }

    private boolean isReady() {
        if (!processes.stream().allMatch(Process::isAlive)) {
            throw new IllegalStateException("a process ended; logs are in " + folder);
        }
        return ports.stream().allMatch(member -> get("http://" + member.opsAddress() + "/readyz") == OK)
                && lab.guests().values().stream().allMatch(GuestSnapshot::served);
    }

    /** Waits until VMs were patched; an agent that has claimed none yet patches none. */
    void awaitPatches() {
        await("patches")
                .atMost(READY_WITHIN)
                .until(() -> !prometheus.query(PATCHED).isEmpty());
    }

    private int get(String url) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url))
                                    .timeout(COMMAND_MAX)
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException notYet) {
            return 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    LabVerticle lab() {
        return lab;
    }

    ApiRelay relay() {
        return relay;
    }

    Prometheus prometheus() {
        return prometheus;
    }

    String console() {
        return "http://127.0.0.1:" + ports.getFirst().console();
    }

    String ops() {
        return "http://" + ports.getFirst().opsAddress();
    }

    /** The folder in which the process with all roles runs; its log is there. */
    Path home() {
        return folder.resolve("process-0");
    }

    /** Kills the processes that have a ledger's state and nothing else. */
    void killOtherLedgers() {
        processes.subList(1, LEDGERS).forEach(Installation::kill);
    }

    /** Creates an object in the Kubernetes cluster. */
    void post(String path, String object) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(lab.apiUrl() + path))
                .header("Content-Type", "application/json")
                .timeout(COMMAND_MAX)
                .POST(HttpRequest.BodyPublishers.ofString(object));
        var reply = client.send(request.build(), BodyHandlers.ofString());
        if (reply.statusCode() != CREATED) {
            throw new IOException(path + ": " + reply.statusCode() + " " + reply.body());
        }
    }

    /** What a command of the distribution prints, errors included. */
    String command(List<String> arguments) throws IOException, InterruptedException {
        var command = Stream.concat(
                        Stream.of(Demo.START_SCRIPT.toAbsolutePath().toString()),
                        Stream.concat(arguments.stream(), Stream.of("--url", console())))
                .toList();
        var printed = Files.createTempFile(folder, "command", ".txt");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        if (!process.waitFor(COMMAND_MAX.toSeconds(), TimeUnit.SECONDS)) {
            kill(process);
            throw new IOException(arguments + " did not end; it printed " + Files.readString(printed));
        }
        return Files.readString(printed);
    }

    /** Runs a program of the system. */
    static void mustRun(String... command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + status);
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Installation::kill);
        if (prometheus != null) {
            prometheus.close();
        }
        if (relay != null) {
            relay.close();
        }
        vertx.close().await();
    }
}
