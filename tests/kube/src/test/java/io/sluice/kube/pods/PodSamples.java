package io.sluice.kube.pods;

import io.sluice.gateway.listener.TestCertificate;
import io.sluice.shell.LoopbackPorts;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves samples of pods over TLS as a kubelet does: in its format, with the times at which they were taken. Each pod
 * is sampled at a time of its own.
 */
final class PodSamples implements AutoCloseable {
    private static final long LOOK_EVERY_MS = 100;
    private static final double MILLIS = 1_000;

    /** The file of the certificate, in the folder. */
    final String caFile;

    final Set<String> tokens = ConcurrentHashMap.newKeySet();

    /** Pods of which it has no samples. */
    final Set<String> unsampled = ConcurrentHashMap.newKeySet();

    private final Vertx vertx = Vertx.vertx();
    private final Random random = new Random(1);
    private final Map<String, Load> loads = new ConcurrentHashMap<>();
    private final Duration least;
    private final Duration most;
    private final HttpServer server;

    /** What a pod does: the CPUs that it would use, and its working set. */
    private static final class Load {
        volatile String namespace = "default";
        volatile double cpus;
        volatile long workingSet;
        volatile double limit = Double.MAX_VALUE;
        double cpuSeconds;
        double stalled;
        long countedAt;
        volatile double sampledSeconds;
        volatile double sampledStalled;
        volatile long sampledAt;
        long sampleNext;
    }

    /**
     * @param least the shortest time between two samples of a pod
     * @param most the longest
     */
    PodSamples(Path folder, Duration least, Duration most) throws Exception {
        this.least = least;
        this.most = most;
        var files = TestCertificate.of("EC", folder).writeTo(folder);
        caFile = files.cert();
        server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(LoopbackPorts.next())
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .addCertPath(files.cert())
                                .addKeyPath(files.key())))
                .requestHandler(this::serve)
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        vertx.setPeriodic(LOOK_EVERY_MS, timer -> {
            long now = System.currentTimeMillis();
            loads.values().forEach(load -> look(load, now));
        });
    }

    int port() {
        return server.actualPort();
    }

    void works(String pod, double cpus, long workingSet) {
        var load = of(pod);
        load.cpus = cpus;
        load.workingSet = workingSet;
    }

    /**
     * What the spec of a pod has.
     *
     * @param cpus its limit
     */
    void observed(String namespace, String pod, double cpus) {
        var load = of(pod);
        load.namespace = namespace;
        load.limit = cpus;
    }

    private Load of(String pod) {
        return loads.computeIfAbsent(pod, name -> new Load());
    }

    /** What is used is counted all the time, and shown by samples alone. */
    private void look(Load load, long now) {
        if (load.countedAt > 0) {
            double seconds = (now - load.countedAt) / MILLIS;
            load.cpuSeconds += Math.min(load.cpus, load.limit) * seconds;
            load.stalled += load.cpus > load.limit ? seconds : 0;
        }
        load.countedAt = now;
        if (now < load.sampleNext) {
            return;
        }
        long period = random.nextLong(least.toMillis(), most.toMillis() + 1);
        boolean isFirst = load.sampleNext == 0;
        load.sampleNext = now + (isFirst ? random.nextLong(period) : period);
        load.sampledSeconds = load.cpuSeconds;
        load.sampledStalled = load.stalled;
        load.sampledAt = now;
    }

    private void serve(HttpServerRequest request) {
        tokens.add(String.valueOf(request.getHeader("authorization")));
        var text = new StringBuilder("# HELP a text in the format of a kubelet\n");
        loads.forEach((pod, load) -> {
            if (load.sampledAt == 0 || unsampled.contains(pod)) {
                return;
            }
            var labels = "{container=\"main\",namespace=\"" + load.namespace + "\",pod=\"" + pod + "\"} ";
            if (request.path().equals("/metrics/resource")) {
                line(text, "container_cpu_usage_seconds_total" + labels, load.sampledSeconds, load.sampledAt);
                line(text, "container_memory_working_set_bytes" + labels, load.workingSet, load.sampledAt);
            } else {
                line(
                        text,
                        "container_pressure_cpu_waiting_seconds_total" + labels,
                        load.sampledStalled,
                        load.sampledAt);
            }
        });
        request.response().end(Buffer.buffer(text.append("scrape_error 0\n").toString()));
    }

    private static void line(StringBuilder text, String head, double value, long at) {
        text.append(head).append(String.format(Locale.ROOT, "%f %d%n", value, at));
    }

    @Override
    public void close() {
        PodStage.done(vertx.close());
    }
}
