package io.sluice.bench.workers;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpVersion;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Many workers of this process, which connect, register and send heartbeats. */
final class WorkerFleetLoad {
    private static final int AT_ONCE = 32;
    private static final int CONNECTED_AGAIN_MAX = 10;
    private static final int STREAMS_MAX = 1_000;
    private static final long BEAT_EVERY_MS = 100;
    private static final long SECONDS_MAX = 1_800;

    private final Vertx vertx;
    private final HttpClientAgent client;
    private final HttpConnectOptions server;
    private final Optional<WorkerCertificates> certificates;
    private final List<WorkerSite.SiteWorker> workers;
    private final List<WorkerSite> sites = new ArrayList<>();
    private final int perSite;
    private final AtomicInteger welcomes = new AtomicInteger();
    private final AtomicInteger instances = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();
    private final Map<String, Integer> exclusive = new ConcurrentHashMap<>();
    private final AtomicLong heartbeats = new AtomicLong();

    WorkerFleetLoad(Vertx vertx, int port, int count, int perSite, Optional<WorkerCertificates> certificates) {
        this.vertx = vertx;
        server = new HttpConnectOptions().setHost("127.0.0.1").setPort(port);
        client = vertx.createHttpClient(new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2KeepAliveTimeout(0)
                .setHttp2MultiplexingLimit(STREAMS_MAX)
                .setUseAlpn(certificates.isPresent())
                .setSsl(certificates.isPresent()));
        this.perSite = perSite;
        this.certificates = certificates;
        workers = IntStream.range(0, count).mapToObj(WorkerSite.SiteWorker::new).toList();
        for (int i = 0; i < count / perSite; i++) {
            sites.add(null);
        }
        vertx.setPeriodic(BEAT_EVERY_MS, timer -> beat());
    }

    private void beat() {
        long now = millis();
        workers.forEach(worker -> {
            worker.beat(now);
            worker.fenced(now).forEach(this::exclusiveEnded);
        });
    }

    static long millis() {
        return System.nanoTime() / 1_000_000;
    }

    void exclusiveStarted(String instance) {
        if (exclusive.merge(instance, 1, Integer::sum) > 1) {
            twice.incrementAndGet();
        }
    }

    void exclusiveEnded(String instance) {
        exclusive.merge(instance, -1, Integer::sum);
    }

    /** Exclusive instances that were started while another worker had them. */
    int twice() {
        return twice.get();
    }

    int size() {
        return workers.size();
    }

    int sites() {
        return sites.size();
    }

    /** Instances that were started. */
    int instances() {
        return instances.get();
    }

    /** Heartbeats that were acknowledged. */
    long heartbeats() {
        return heartbeats.get();
    }

    void welcomed(WorkerSite.SiteWorker worker) {
        welcomes.incrementAndGet();
    }

    void acknowledged() {
        heartbeats.incrementAndGet();
    }

    void started() {
        instances.incrementAndGet();
    }

    /**
     * Opens connections, registers their workers and awaits their Welcome; returns the seconds that it took. The server
     * closes a connection over which nothing registers.
     */
    double connect(int from, int to) throws InterruptedException {
        return welcomed(
                from,
                to,
                () -> timed(
                        from,
                        to,
                        site -> open(site, CONNECTED_AGAIN_MAX)
                                .compose(connected -> Future.join(IntStream.range(site * perSite, (site + 1) * perSite)
                                        .mapToObj(this::register)
                                        .toList()))
                                .mapEmpty()));
    }

    private Future<Void> register(int worker) {
        return sites.get(worker / perSite).register(workers.get(worker));
    }

    /** A machine whose connection fails tries again. */
    private Future<Void> open(int site, int triesLeft) {
        var options = new HttpConnectOptions(server);
        try {
            if (certificates.isPresent()) {
                options.setSsl(true).setSslOptions(certificates.get().options(site));
            }
        } catch (GeneralSecurityException broken) {
            return Future.failedFuture(broken);
        }
        return client.connect(options)
                .onSuccess(connection -> Optional.ofNullable(sites.set(site, new WorkerSite(connection, this)))
                        .ifPresent(WorkerSite::close))
                .<Void>mapEmpty()
                .recover(failed -> triesLeft == 0 ? Future.failedFuture(failed) : open(site, triesLeft - 1));
    }

    /** Registers the workers of these connections, and awaits their Welcome; returns the seconds that it took. */
    double register(int from, int to) throws InterruptedException {
        return welcomed(from, to, () -> timed(from * perSite, to * perSite, this::register));
    }

    private double welcomed(int from, int to, Registering registering) throws InterruptedException {
        int before = welcomes.get();
        int expected = before + (to - from) * perSite;
        long start = System.nanoTime();
        registering.go();
        while (welcomes.get() < expected) {
            pause(start, "welcomes: " + (welcomes.get() - before) + " of " + (expected - before));
        }
        return seconds(start);
    }

    /** Nothing comes over these connections any more, as in a network that fails; the other side is not told. */
    void cut(int from, int to) {
        workers.subList(from * perSite, to * perSite).forEach(WorkerSite.SiteWorker::cut);
    }

    private interface Registering {
        void go() throws InterruptedException;
    }

    private void timed(int from, int to, IntFunction<Future<Void>> work) throws InterruptedException {
        var next = new AtomicInteger(from);
        var done = new AtomicInteger();
        var failed = new AtomicInteger();
        long start = System.nanoTime();
        for (int i = 0; i < AT_ONCE; i++) {
            vertx.runOnContext(go -> step(next, to, work, done, failed));
        }
        while (done.get() + failed.get() < to - from) {
            pause(start, "steps done: " + done + ", failed: " + failed);
        }
        if (failed.get() > 0) {
            throw new IllegalStateException(failed + " of " + (to - from) + " failed");
        }
    }

    private void step(
            AtomicInteger next, int to, IntFunction<Future<Void>> work, AtomicInteger done, AtomicInteger failed) {
        int number = next.getAndIncrement();
        if (number < to) {
            work.apply(number)
                    .onFailure(reason -> {
                        System.err.println(reason);
                        failed.incrementAndGet();
                    })
                    .onSuccess(worked -> done.incrementAndGet())
                    // A turn of its own, or work that is done at once would fill the stack.
                    .onComplete(ended -> vertx.runOnContext(go -> step(next, to, work, done, failed)));
        }
    }

    static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    static void pause(long start, String awaited) throws InterruptedException {
        if (seconds(start) > SECONDS_MAX) {
            throw new IllegalStateException("it took too long: " + awaited);
        }
        TimeUnit.MILLISECONDS.sleep(10);
    }
}
