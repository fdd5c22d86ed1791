package io.sluice.lab.guest;

import io.sluice.lab.load.SeriesLibrary;
import io.sluice.lab.load.core.FileCacheLoad;
import io.sluice.lab.load.core.GuestCpuTimes;
import io.sluice.lab.load.core.GuestLoad;
import io.sluice.lab.load.core.GuestMemory;
import io.sluice.lab.load.core.GuestTask;
import io.sluice.lab.load.core.LoadPlan;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.shell.LogKeys;
import io.sluice.units.Resources;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The programs of one VM that have endpoints: metrics and monitor, over real sockets. It replays a recorded load, and
 * changes its size only when {@link #resize} is called.
 *
 * <p>It has a loopback address of its own with the deployed ports, {@code 127.10.x.y:9100} and {@code :10301}, with a
 * file cache {@code :9499} too. If that address or a port of it is not available, it has free ports of 127.0.0.1. Every
 * method may be called from any thread.
 */
public final class Guest {
    /** The port of the metrics inside a VM. */
    public static final int METRICS_PORT = 9100;

    /** The port of the monitor inside a VM. */
    public static final int MONITOR_PORT = 10_301;

    /** The port of the file cache's metrics inside a VM. */
    public static final int FILE_CACHE_PORT = 9499;

    private static final Logger LOG = LoggerFactory.getLogger(Guest.class);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int ADDRESSES_PER_NET = 250;
    private static final long TICK_MS = 100;
    private static final int HOME_TRIES = 5;
    private static final long HOME_RETRY_MS = 20;

    /** Share of the memory that its file cache may take. */
    private static final double FILE_CACHE_SHARE = 0.75;

    private final Vertx vertx;
    private final GuestSpec spec;
    private final InstantSource clock;
    private final Context context;
    private final GuestFaults faults;
    private final Supplier<GuestTask> task;
    private volatile Optional<Running> running = Optional.empty();
    private volatile Optional<GuestSnapshot> snapshot = Optional.empty();
    private final GuestCpuTimes cpus;
    private volatile Resources size;
    private long timer = -1;

    /** The load of a started guest, and its servers. */
    private record Running(
            GuestLoad load, MonitorServer monitor, MetricsServer metrics, Optional<MetricsServer> fileCache, At at) {
        Future<Void> close() {
            return Future.join(monitor.close(), metrics.close())
                    .transform(closed -> fileCache.map(MetricsServer::close).orElseGet(Future::succeededFuture));
        }
    }

    /** The address and ports; port 0 is any free port, or none for a file cache that the guest does not have. */
    private record At(String host, int metrics, int monitor, int fileCache) {}

    /** A guest that shrinks as its load permits. */
    public Guest(Vertx vertx, GuestSpec spec, InstantSource clock) {
        this(vertx, spec, clock, GuestFaults.NONE, () -> GuestTask.NONE);
    }

    /**
     * A guest that is not started yet; it will run on the caller's Vert.x context.
     *
     * @param faults its faults, as they are at each moment
     * @param task the work that it does besides its load
     */
    public Guest(Vertx vertx, GuestSpec spec, InstantSource clock, GuestFaults faults, Supplier<GuestTask> task) {
        this.vertx = Objects.requireNonNull(vertx, "vertx");
        this.spec = Objects.requireNonNull(spec, "spec");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.faults = Objects.requireNonNull(faults, "faults");
        this.task = Objects.requireNonNull(task, "errand");
        this.context = vertx.getOrCreateContext();
        this.size = spec.initial();
        this.cpus = new GuestCpuTimes(clock.instant());
    }

    /** The specification of the guest. */
    public GuestSpec spec() {
        return spec;
    }

    /** Reads its series, binds its address and begins its load. */
    public Future<Void> start() {
        return onContext(() -> vertx.executeBlocking(() -> SeriesLibrary.read(spec.series()))
                .map(series ->
                        new LoadPlan(series, spec.offset(), spec.day(), spec.vCpus(), spec.memory(), spec.events()))
                .compose(plan -> listen(plan, HOME_TRIES))
                .map(this::begin));
    }

    /** Ends sessions and releases the address. */
    public Future<Void> close() {
        return onContext(() -> {
            vertx.cancelTimer(timer);
            var ending = running;
            running = Optional.empty();
            return ending.map(Running::close).orElseGet(Future::succeededFuture);
        });
    }

    /** The endpoint of its metrics, once started. */
    public Endpoint metrics() {
        var at = started().at();
        return new Endpoint(at.host(), at.metrics(), MetricsServer.PATH);
    }

    /** The endpoint of its monitor, once started. */
    public Endpoint monitor() {
        var at = started().at();
        return new Endpoint(at.host(), at.monitor(), MonitorServer.PATH);
    }

    /** The endpoint of its file cache's metrics, once started; empty if it has none. */
    public Optional<Endpoint> fileCache() {
        var at = started().at();
        return spec.fileCache().map(plan -> new Endpoint(at.host(), at.fileCache(), MetricsServer.PATH));
    }

    /** Plugs or unplugs: from now on the VM has this size. Its monitor is not notified. */
    public void resize(Resources now) {
        size = Objects.requireNonNull(now, "now");
    }

    /** The state at its last tick, at most a tenth of a second ago. */
    public GuestSnapshot snapshot() {
        return snapshot.orElseThrow(() -> new IllegalStateException(spec.name() + " is not started"));
    }

    /** A closed server releases its port a moment after the close has completed, so one refusal is tolerated. */
    private Future<Running> listen(LoadPlan plan, int tries) {
        return listen(plan, new At(address(), METRICS_PORT, MONITOR_PORT, FILE_CACHE_PORT))
                .recover(taken -> {
                    if (tries > 1) {
                        return vertx.timer(HOME_RETRY_MS, TimeUnit.MILLISECONDS)
                                .compose(waited -> listen(plan, tries - 1));
                    }
                    LOG.atDebug()
                            .addKeyValue(LogKeys.VM, spec.name())
                            .addKeyValue(LogKeys.REASON, taken.getMessage())
                            .log("A guest has free ports, as its own address is not available.");
                    return listen(plan, new At(LOOPBACK, 0, 0, 0));
                });
    }

    private Future<Running> listen(LoadPlan plan, At at) {
        var now = clock.instant();
        var load = new GuestLoad(plan, now);
        var cache = spec.fileCache().map(cached -> new FileCacheLoad(cached, plan.speed(), now));
        var monitor = new MonitorServer(vertx, clock, () -> memory(load), faults::monitorIsDead);
        var metrics = new MetricsServer(vertx, () -> MetricsServer.text(reading(load, cache)));
        var cached = cache.map(counted -> new MetricsServer(vertx, () -> FileCacheText.of(fileCacheReading(counted))));
        return metrics.listen(at.host(), at.metrics())
                .compose(metricsAt -> monitor.listen(at.host(), at.monitor())
                        .compose(monitorAt -> cached.map(server -> server.listen(at.host(), at.fileCache()))
                                .orElseGet(() -> Future.succeededFuture(0))
                                .map(cacheAt -> new At(at.host(), metricsAt, monitorAt, cacheAt))))
                .map(taken -> new Running(load, monitor, metrics, cached, taken))
                .recover(taken -> new Running(load, monitor, metrics, cached, at)
                        .close()
                        .transform(closed -> Future.failedFuture(taken)));
    }

    private Void begin(Running live) {
        running = Optional.of(live);
        timer = vertx.setPeriodic(TICK_MS, tick -> tick(live));
        tick(live);
        return null;
    }

    private void tick(Running live) {
        advance(live.load());
        live.monitor().tick();
        var load = live.load();
        cpus.advance(clock.instant(), load.demand(), size);
        snapshot = Optional.of(new GuestSnapshot(
                size,
                load.demand(),
                load.load1(),
                load.load5(),
                load.memory(size),
                live.monitor().served(),
                live.monitor().upscaleRequests(),
                live.monitor().deniedDownscales()));
    }

    private void advance(GuestLoad load) {
        load.run(task.get());
        load.advance(clock.instant());
    }

    private GuestMemory memory(GuestLoad load) {
        advance(load);
        var memory = load.memory(size);
        return faults.refusesToShrink() ? memory.clungTo() : memory;
    }

    private MetricsServer.Reading reading(GuestLoad load, Optional<FileCacheLoad> cache) {
        var memory = memory(load);
        long cached = cache.map(counted -> fileCacheReading(counted).usedPages() * FileCacheLoad.PAGE_BYTES)
                .orElse(0L);
        return new MetricsServer.Reading(load.load1(), load.load5(), memory.caching(cached), cpus);
    }

    private FileCacheLoad.Reading fileCacheReading(FileCacheLoad cache) {
        long limit = (long) (size.memoryBytes() * FILE_CACHE_SHARE);
        cache.advance(clock.instant(), limit);
        return cache.reading(limit);
    }

    private String address() {
        int net = spec.index() / ADDRESSES_PER_NET;
        int host = spec.index() % ADDRESSES_PER_NET + 1;
        return "127.10." + net + "." + host;
    }

    private Running started() {
        return running.orElseThrow(() -> new IllegalStateException(spec.name() + " is not started"));
    }

    /** All state changes on one context, so no lock is needed. */
    private Future<Void> onContext(Supplier<Future<Void>> work) {
        var done = Promise.<Void>promise();
        context.runOnContext(run -> work.get().onComplete(done));
        return done.future();
    }
}
