package io.sluice.bench.workers;

import io.sluice.bench.measurement.BenchOption;
import io.sluice.bench.measurement.Child;
import io.sluice.launcher.Main;
import io.sluice.units.Resources;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.StatusEvent;
import io.sluice.workers.control.v1.WatchRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A scheduler with the roles workers, ledger and placement as a process of its own, and workers that start nothing in
 * this one. Arguments: the row, the workers, and how many of them share a connection.
 */
public final class WorkersBench implements AutoCloseable {
    private static final int ROUNDS = 5;

    /** Before the rounds that are measured, so that a small fleet's JIT is warm, too. */
    private static final int WARM_UP = 10_000;

    private static final int KIB = 1024;
    private static final long GIVEN_BACK_MS = 3_000;
    private static final int SUBMITTED_AT_ONCE = 64;
    private static final int EXCLUSIVE_OF = 10;

    private final Vertx vertx = Vertx.vertx();
    private final Path directory = Files.createTempDirectory("workers-bench");
    private final int port = free();
    private final int controlPort = free();
    private final WorkerFleetLoad load;
    private final ControlClient control;
    private final WorkersTls controller;

    /** Vert.x closes a client, with its streams, once it is garbage. */
    private GrpcClient watcher;

    private Child server;

    private WorkersBench(int workers, int perSite, boolean tls) throws Exception {
        var certificates =
                tls ? Optional.of(new WorkerCertificates(directory, perSite)) : Optional.<WorkerCertificates>empty();
        var files = tls ? certificates.get().files("server") : WorkersTls.NONE;
        controller = tls ? certificates.get().files("bench") : WorkersTls.NONE;
        control = new ControlClient(vertx, "127.0.0.1", controlPort, controller);
        Files.writeString(directory.resolve("config.yaml"), """
            roles: [ledger, placement, workers]
            placement: {scorePeak: 0}
            gateway: {ops: {port: 0}}
            workers: {port: %d, controlPort: %d, tls: {cert: "%s", key: "%s", clientCa: "%s"},
              store: %s, maxWorkers: %d, maxInstances: 100000}
            """.formatted(
                port, controlPort, files.cert(), files.key(), files.clientCa(), directory.resolve("store"), workers));
        load = new WorkerFleetLoad(vertx, port, workers, perSite, certificates);
        start(true);
    }

    /** Runs the row. */
    public static void main(String[] arguments) throws Exception {
        int workers = Integer.parseInt(arguments[1]);
        int perSite = Integer.parseInt(arguments[2]);
        try (var bench = new WorkersBench(workers, perSite, !arguments[0].equals("placements"))) {
            switch (arguments[0]) {
                case "mtls", "sites" -> bench.sessions();
                case "placements" -> bench.placements(workers);
                case "region" -> bench.region(Integer.parseInt(arguments[3]));
                default -> throw new IllegalArgumentException("there is no row " + arguments[0]);
            }
        }
        System.exit(0);
    }

    private static int free() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void row(String figure, String format, Object... values) {
        System.out.println("| " + figure + " | " + String.format(Locale.ROOT, format, values) + " |");
    }

    private void start(boolean recorded) throws Exception {
        var options = new ArrayList<>(
                List.of(BenchOption.of(BenchOption.JVM, "-Xmx6g").split(" ")));
        options.addAll(List.of("-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders"));
        server = Child.start(
                Main.class,
                recorded ? BenchOption.recorded(options, 1) : options,
                "run",
                "--config",
                directory.resolve("config.yaml").toString());
        long begun = System.nanoTime();
        while (!listens()) {
            WorkerFleetLoad.pause(begun, "the scheduler");
        }
    }

    private boolean listens() {
        try (var socket = new Socket("127.0.0.1", controlPort)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** What the scheduler has, in KiB: live objects of the heap, and what is resident after a collection. */
    private record Memory(long live, long resident) {}

    /** @param histogram the name of the file of its classes by size, in the directory {@code -Dbench.histograms} */
    private Memory memory(String histogram) throws Exception {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var directories = BenchOption.of(BenchOption.HISTOGRAMS, directory.toString());
        var classes = Path.of(directories, histogram + ".txt");
        // Collects first, so that what it counts is live.
        new ProcessBuilder(jcmd, Long.toString(server.pid()), "GC.class_histogram")
                .redirectOutput(classes.toFile())
                .start()
                .waitFor();
        long live = Files.readAllLines(classes).stream()
                .filter(line -> line.startsWith("Total"))
                .mapToLong(line -> Long.parseLong(line.strip().split(" +")[2]))
                .findFirst()
                .orElseThrow();
        // What the collector does not need is given back little by little.
        long resident = residentKib();
        for (long before = Long.MAX_VALUE; resident < before; resident = residentKib()) {
            before = resident;
            Thread.sleep(GIVEN_BACK_MS);
        }
        return new Memory(live / KIB, resident);
    }

    private long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private void memoryRow(String state, Memory before) throws Exception {
        var after = memory(state.replace(' ', '-'));
        double workers = load.size();
        row("live KiB a worker " + state, "%.1f", (after.live() - before.live()) / workers);
        row("resident KiB a worker " + state, "%.1f", (after.resident() - before.resident()) / workers);
    }

    private void sessions() throws Exception {
        var before = memory("before");
        double connected = load.connect(0, load.sites());
        row("connections a second, each with its first registrations", "%.0f", load.sites() / connected);
        row("registrations a second meanwhile", "%.0f", load.size() / connected);
        for (int registered = load.size(); registered < WARM_UP; registered += load.size()) {
            load.register(0, load.sites());
        }
        long start = System.nanoTime();
        double cpu = server.cpuSeconds();
        for (int round = 0; round < ROUNDS; round++) {
            load.register(0, load.sites());
        }
        row(
                "registrations a second over a standing connection",
                "%.0f",
                ROUNDS * load.size() / WorkerFleetLoad.seconds(start));
        row("CPU of one, microseconds", "%.0f", (server.cpuSeconds() - cpu) * 1e6 / (ROUNDS * load.size()));
        long beats = load.heartbeats();
        start = System.nanoTime();
        cpu = server.cpuSeconds();
        Thread.sleep(30_000);
        row("heartbeats acknowledged a second", "%.0f", (load.heartbeats() - beats) / WorkerFleetLoad.seconds(start));
        row("cores meanwhile", "%.2f", (server.cpuSeconds() - cpu) / WorkerFleetLoad.seconds(start));
        row(
                "workers that are ready",
                "%d",
                workers(worker -> worker.getState().equals("READY")).size());
        memoryRow("with its stream", before);
        load.cut(0, load.sites());
        server.close();
        awaitEnd();
        start(false);
        awaitWorkers(load.size());
        memoryRow("without its stream", before);
        row(
                "KiB a worker in the store",
                "%.2f",
                Files.size(directory.resolve("store/fleet.db")) / (double) KIB / load.size());
    }

    private void awaitEnd() throws InterruptedException {
        long start = System.nanoTime();
        while (listens()) {
            WorkerFleetLoad.pause(start, "the end of the scheduler");
        }
    }

    /** Of very many the list may be late. */
    private List<WorkerInfo> workers(Predicate<WorkerInfo> which) {
        return control
                .call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                .recover(late -> control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance()))
                .await()
                .getWorkersList()
                .stream()
                .filter(which)
                .toList();
    }

    private void awaitWorkers(int count) throws InterruptedException {
        long start = System.nanoTime();
        while (workers(worker -> true).size() < count) {
            WorkerFleetLoad.pause(start, "workers");
        }
    }

    private double submit(int from, int to) throws InterruptedException {
        long start = System.nanoTime();
        var open = new ArrayList<Future<?>>();
        for (int i = from; i < to; i++) {
            open.add(control.call(
                    GrpcMethods.SUBMIT,
                    WorkloadSpec.newBuilder()
                            .setWorkloadId("bench")
                            .setInstanceId("i" + i)
                            .setExclusive(i % EXCLUSIVE_OF == 0)
                            .setDefinition("{\"kind\":\"Process\",\"command\":\"/bin/true\"}")
                            .addAllRequests(WireForm.resources(new Resources(100, 64L << 20)))
                            .build()));
            if (open.size() == SUBMITTED_AT_ONCE || i == to - 1) {
                Future.join(open).await();
                open.clear();
            }
        }
        return WorkerFleetLoad.seconds(start);
    }

    private List<Instance> running() {
        return control.call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance()).await().getInstancesList().stream()
                .filter(instance -> instance.getState().equals("RUNNING"))
                .toList();
    }

    private double place(int from, int to) throws InterruptedException {
        long start = System.nanoTime();
        double cpu = server.cpuSeconds();
        double submitted = submit(from, to);
        while (load.instances() < to) {
            WorkerFleetLoad.pause(start, "instances: " + load.instances());
        }
        double took = WorkerFleetLoad.seconds(start);
        row("submissions a second", "%.0f", (to - from) / submitted);
        row("placements a second, from the first submission to the last order", "%.0f", (to - from) / took);
        row("CPU of one, microseconds", "%.0f", (server.cpuSeconds() - cpu) * 1e6 / (to - from));
        return took;
    }

    private void placements(int workers) throws Exception {
        load.connect(0, load.sites());
        place(0, workers);
        place(workers, 2 * workers);
        row("instances that run", "%d", running().size());
    }

    private void region(int seconds) throws Exception {
        var suspected = new ArrayList<String>();
        load.connect(0, load.sites());
        int instances = load.size() / 2;
        place(0, instances);
        watch(suspected);
        int half = load.sites() / 2;
        load.cut(0, half);
        Thread.sleep(seconds * 1_000L);
        row(
                "workers that are lost after " + seconds + " s",
                "%d",
                workers(worker -> worker.getState().equals("LOST")).size());
        long start = System.nanoTime();
        row("all have registered after, s", "%.1f", load.connect(0, half));
        while (workers(worker -> worker.getState().equals("READY")).size() < load.size()) {
            WorkerFleetLoad.pause(start, "workers");
        }
        row("all are ready after, s", "%.1f", WorkerFleetLoad.seconds(start));
        while (running().size() < instances) {
            WorkerFleetLoad.pause(start, "instances: " + running().size());
        }
        row("all instances run after, s", "%.1f", WorkerFleetLoad.seconds(start));
        long unaffected = suspected.stream()
                .filter(worker -> Integer.parseInt(worker.substring(1)) >= load.size() / 2)
                .count();
        row("unaffected workers that were suspected", "%d", unaffected);
        row("exclusive instances that ran twice", "%d", load.twice());
    }

    private void watch(List<String> suspected) {
        watcher = GrpcClient.client(vertx, ControlClient.connection(controller));
        watcher.request(SocketAddress.inetSocketAddress(controlPort, "127.0.0.1"), GrpcMethods.WATCH.called())
                .compose(request -> request.send(WatchRequest.getDefaultInstance()))
                .onSuccess(events -> events.handler(event -> addSuspect(event, suspected)))
                .await();
    }

    private static void addSuspect(StatusEvent event, List<String> suspected) {
        if (event.hasWorker() && event.getWorker().getState().equals("SUSPECT")) {
            synchronized (suspected) {
                suspected.add(event.getWorker().getWorkerId());
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        vertx.close();
    }
}
