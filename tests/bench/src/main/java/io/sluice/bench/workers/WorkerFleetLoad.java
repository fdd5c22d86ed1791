package io.sluice.bench.workers;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Many workers of this process, which connect, register and send heartbeats. */
final class WorkerFleetLoad {
    private static final int AT_ONCE = 32;
    private static final int STREAMS_MAX = 1_000;
    private static final long BEAT_EVERY_MS = 100;
    private static final long SECONDS_MAX = 600;

    private final Vertx vertx;
    private final int port;
    private final Optional<WorkerCertificates> certificates;
    private final List<WorkerSite.SiteWorker> workers;
    private final List<WorkerSite> sites = new ArrayList<>();
    private final int perSite;
    private final AtomicInteger welcomes = new AtomicInteger();
    private final AtomicInteger instances = new AtomicInteger();
    private final AtomicLong heartbeats = new AtomicLong();

    WorkerFleetLoad(Vertx vertx, int port, int count, int perSite, Optional<WorkerCertificates> certificates) {
        this.vertx = vertx;
        this.port = port;
        this.perSite = perSite;
        this.certificates = certificates;
        workers = IntStream.range(0, count).mapToObj(WorkerSite.SiteWorker::new).toList();
        for (int i = 0; i < count / perSite; i++) {
            sites.add(null);
        }
        vertx.setPeriodic(BEAT_EVERY_MS, timer -> beat());
    }

    private void beat() {
        long now = System.nanoTime() / 1_000_000;
        workers.forEach(worker -> worker.beat(now));
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

    /** Opens connections; returns the seconds that it took. */
    double connect(int from, int to) throws InterruptedException {
        return timed(from, to, this::connect);
    }

    private Future<Void> connect(int site) {
        var options = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2KeepAliveTimeout(0)
                .setHttp2MultiplexingLimit(STREAMS_MAX)
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(port);
        try {
            if (certificates.isPresent()) {
                certificates.get().use(site, options);
            }
        } catch (GeneralSecurityException broken) {
            return Future.failedFuture(broken);
        }
        var client = vertx.createHttpClient(options, new PoolOptions().setHttp2MaxSize(1));
        sites.set(site, new WorkerSite(client, this));
        // A stream that sends nothing opens the connection.
        return sites.get(site).open();
    }

    /** Registers the workers of these connections, and awaits their Welcome; returns the seconds that it took. */
    double register(int from, int to) throws InterruptedException {
        int before = welcomes.get();
        int expected = before + (to - from) * perSite;
        long start = System.nanoTime();
        timed(
                from * perSite,
                to * perSite,
                worker -> sites.get(worker / perSite).register(workers.get(worker)));
        while (welcomes.get() < expected) {
            pause(start, "welcomes: " + (welcomes.get() - before) + " of " + (expected - before));
        }
        return seconds(start);
    }

    /** Cuts connections, as a network that fails does. */
    void cut(int from, int to) {
        for (int site = from; site < to; site++) {
            for (int i = 0; i < perSite; i++) {
                workers.get(site * perSite + i).cut();
            }
            sites.get(site).close();
        }
    }

    private double timed(int from, int to, IntFunction<Future<Void>> work) throws InterruptedException {
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
        return seconds(start);
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
