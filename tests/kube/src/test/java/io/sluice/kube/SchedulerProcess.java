package io.sluice.kube;

import io.sluice.kube.deploy.Deploy;
import io.sluice.kube.server.Command;
import io.sluice.kube.server.ControlPlane;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.shell.LoopbackPorts;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The scheduler's side as a process of the distribution, with the ledger state in its memory, at an address of
 * loopback.
 */
public final class SchedulerProcess implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final long END_MAX_S = 20;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String host;
    private final String extenderScheme;
    private final int agentPort;
    private final int opsPort = LoopbackPorts.next();
    private final int consolePort = LoopbackPorts.next();
    private final int extenderPort = LoopbackPorts.next();
    private final Process process;

    /**
     * Starts it at once.
     *
     * @param folder folder of its config and its log
     * @param port port of its agent API
     */
    SchedulerProcess(Path folder, ControlPlane plane, String host, int port) {
        this(folder, plane, host, port, new JsonObject());
    }

    /**
     * Starts one that places pods in its own way.
     *
     * @param access how it reaches the API server
     * @param placement the section of that name
     */
    public static SchedulerProcess placing(Path folder, KubernetesConfig access, String host, JsonObject placement) {
        return placing(folder, access, host, placement, new JsonObject());
    }

    /** The same with a Lease: the section of that name. */
    public static SchedulerProcess placing(
            Path folder, KubernetesConfig access, String host, JsonObject placement, JsonObject lease) {
        return with(folder, access, host, sections(lease, placement));
    }

    private static JsonObject sections(JsonObject lease, JsonObject placement) {
        return new JsonObject().put("lease", lease).put("placement", placement);
    }

    /** Starts one whose config has more sections. */
    public static SchedulerProcess with(Path folder, KubernetesConfig access, String host, JsonObject sections) {
        return new SchedulerProcess(folder, access, host, LoopbackPorts.next(), new JsonObject(), sections);
    }

    /** Starts one that a kube-scheduler calls without TLS. */
    public static SchedulerProcess extending(Path folder, KubernetesConfig access, String host) {
        return placing(folder, access, host, new JsonObject());
    }

    /**
     * Starts it with TLS for kube-scheduler.
     *
     * @param tls the listener's section of that name
     */
    static SchedulerProcess overTls(Path folder, ControlPlane plane, String host, JsonObject tls) {
        return new SchedulerProcess(folder, plane.admin(), host, LoopbackPorts.next(), tls, new JsonObject());
    }

    /**
     * Starts it with a Lease.
     *
     * @param lease the section of that name
     */
    SchedulerProcess(Path folder, ControlPlane plane, String host, int port, JsonObject lease) {
        this(folder, plane.admin(), host, port, new JsonObject(), sections(lease, new JsonObject()));
    }

    private SchedulerProcess(
            Path folder,
            KubernetesConfig kubernetes,
            String host,
            int port,
            JsonObject extenderTls,
            JsonObject sections) {
        this.host = host;
        extenderScheme = extenderTls.isEmpty() ? "http" : "https";
        agentPort = port;
        var config = new JsonObject()
                .put(
                        "roles",
                        new JsonArray()
                                .add("ledger")
                                .add("pressure")
                                .add("placement")
                                .add("cluster")
                                .add("vm")
                                .add("gateway"))
                .put(
                        "kubernetes",
                        new JsonObject()
                                .put("url", kubernetes.url())
                                .put("tokenFile", kubernetes.tokenFile())
                                .put("caFile", kubernetes.caFile())
                                .put("watchSilence", kubernetes.watchSilence().toSeconds() + "s"))
                .put("ledger", new JsonObject().put("permitValidFor", "2s"))
                .put("agent", new JsonObject().put("permitValidFor", "2s").put("deniedRetryWait", "1s"))
                .put("cluster", new JsonObject().put("reclaimAfter", "3s"))
                .put(
                        "gateway",
                        new JsonObject()
                                .put("agent", listener(port))
                                .put("ops", listener(opsPort))
                                .put("extender", listener(extenderPort).put("tls", extenderTls))
                                .put("console", listener(consolePort)))
                .mergeIn(sections, true);
        try {
            // JSON is YAML.
            var file = Files.writeString(folder.resolve("scheduler-" + host + ".yaml"), config.encodePrettily());
            var builder = new ProcessBuilder(Deploy.program().toString(), "run", "--config", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("scheduler-" + host + ".log").toFile());
            builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
            process = builder.start();
        } catch (IOException unable) {
            throw new UncheckedIOException(unable);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    private JsonObject listener(int port) {
        return new JsonObject().put("host", host).put("port", port);
    }

    /** The URL for kube-scheduler. */
    public String extender() {
        return extenderScheme + "://" + host + ":" + extenderPort;
    }

    public boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the scheduler at " + host + " has ended");
        }
        try {
            return get(opsPort, "/readyz").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether any listener but the ops listener is open. */
    boolean hasOpened() {
        return listens(agentPort) || listens(consolePort);
    }

    private boolean listens(int port) {
        try (var socket = new Socket(host, port)) {
            return socket.isConnected();
        } catch (IOException closed) {
            return false;
        }
    }

    /** The reply of its ops listener; empty while that is not open yet. */
    public String ops(String path) {
        if (!process.isAlive()) {
            throw new IllegalStateException("the scheduler at " + host + " has ended");
        }
        try {
            return get(opsPort, path).body();
        } catch (IOException notYet) {
            return "";
        }
    }

    /** What its ledger reserves for each pod, by its name; without incomplete nodes. */
    public Map<String, Resources> reserved() {
        var reserved = new HashMap<String, Resources>();
        reservations()
                .forEach(reservation -> reserved.put(reservation.of().getString("name"), reserved(reservation.of())));
        return reserved;
    }

    /** What the ledger reserves for a pod, as the console shows it, whichever process has the ledger's state. */
    public Optional<Resources> reserved(String node, String pod) {
        try {
            var page = new JsonObject(get(consolePort, "/api/nodes/" + node).body());
            return page.getJsonArray("reservations", new JsonArray()).stream()
                    .map(JsonObject.class::cast)
                    .filter(reservation -> reservation.getString("name").equals(pod))
                    .map(reservation -> reservation.getJsonArray("reserved"))
                    .map(amount -> new Resources(amount.getLong(0), amount.getLong(1)))
                    .findFirst();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The pods for which its ledger has a reservation, and where: {@code pod on node}, sorted. */
    public List<String> reservedOn() {
        return reservations()
                .map(reservation -> reservation.of().getString("name") + " on " + reservation.node())
                .sorted()
                .toList();
    }

    /** The pods for which room is held. */
    public List<String> held() {
        return reservations()
                .map(Reservation::of)
                .filter(reservation -> !reservation
                        .getJsonObject("status")
                        .getString("heldFor")
                        .isEmpty())
                .map(reservation -> reservation.getString("name"))
                .toList();
    }

    /** What its ledger has of a node by the kinds that never change while a pod runs; nothing before it is complete. */
    public Map<String, Long> fixedTotal(String node) {
        return completeNodes()
                .filter(known -> known.name().equals(node))
                .flatMap(known -> known.of().getJsonObject("size").getJsonObject("fixed").stream())
                .collect(Collectors.toMap(Map.Entry::getKey, kind -> ((Number) kind.getValue()).longValue()));
    }

    private record Reservation(String node, JsonObject of) {}

    private record NodeLedger(String name, JsonObject of) {}

    private Stream<Reservation> reservations() {
        return completeNodes()
                .flatMap(node -> node.of().getJsonArray("reservations").stream()
                        .map(reservation -> new Reservation(node.name(), (JsonObject) reservation)));
    }

    private Stream<NodeLedger> completeNodes() {
        try {
            var nodes = new JsonObject(get(consolePort, "/dump").body()).getJsonObject("ledger");
            return nodes.fieldNames().stream()
                    .map(name -> new NodeLedger(name, nodes.getJsonObject(name)))
                    .filter(node -> node.of().getJsonObject("fullList").getBoolean("complete"));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** What the console shows of the last decisions about a pod. */
    public String why(String pod) {
        try {
            return get(consolePort, "/api/why/pod/" + pod).body();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Resources reserved(JsonObject reservation) {
        var amount = reservation.getJsonObject("amounts").getJsonObject("reserved");
        return new Resources(amount.getLong("milliCpu"), amount.getLong("memoryBytes"));
    }

    private HttpResponse<String> get(int port, String path) throws IOException {
        var request = HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path))
                .timeout(ANSWER_MAX)
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Freezes it until {@link #goOn}. */
    public void pause() {
        signal("-STOP");
    }

    public void goOn() {
        signal("-CONT");
    }

    private void signal(String signal) {
        Command.run(List.of("kill", signal, Long.toString(process.pid())));
    }

    /** The CPU time that it has used. */
    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** What it has of the machine's memory. */
    public long residentBytes() {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .sum();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public boolean hasEnded() {
        return !process.isAlive();
    }

    /** Stops it as the kubelet stops a pod; returns whether it ended with status 0, and in time. */
    boolean stop() {
        process.destroy();
        return process.onExit().orTimeout(END_MAX_S, TimeUnit.SECONDS).join().exitValue() == 0;
    }

    /** Ends it as by {@code kill -9}. */
    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(END_MAX_S, TimeUnit.SECONDS)
                .join();
        http.close();
    }
}
