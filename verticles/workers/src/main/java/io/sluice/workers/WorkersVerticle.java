package io.sluice.workers;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.WorkerAddresses;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.units.WorkerNames;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.WorkerFleet;
import io.sluice.workers.kubernetes.KubernetesNodes;
import io.sluice.workers.store.FleetStore;
import io.sluice.workers.store.FleetTerm;
import io.sluice.workers.store.GroupCommit;
import io.sluice.workers.store.SqliteFleetStore;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves workers and controllers, each on a listener of its own. All of its state is on its one context. */
public final class WorkersVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WorkersVerticle.class);
    private static final String PART = "workers";
    private static final String FILE = "fleet.db";
    private static final String LOOPBACK = "127.0.0.1";
    private static final long TICK_MS = 1_000;
    private static final long CERTIFICATES_MS = 60_000;
    private static final int FRAME_MAX = 1 << 20;

    /** Of one connection, over which a site may have many workers. */
    private static final long STREAMS_MAX = 1_000;

    private static final int IDLE_LEASES = 4;

    private final WorkersConfig config;
    private final Shell shell;
    private final Callable<FleetStore> opening;
    private final FleetTerm term;
    private WorkersMetrics metrics;
    private FleetStore store;
    private FleetRuntime runtime;
    private ListenerTls tls;
    private HttpServer workers;
    private HttpServer control;

    public WorkersVerticle(WorkersConfig config, Shell shell) {
        this(config, shell, () -> {
            var directory = Files.createDirectories(Path.of(config.store()));
            return SqliteFleetStore.open(directory.resolve(FILE), shell.clock().instant());
        });
    }

    WorkersVerticle(WorkersConfig config, Shell shell, Callable<FleetStore> opening) {
        this(config, shell, opening, FleetTerm.ALONE);
    }

    WorkersVerticle(WorkersConfig config, Shell shell, Callable<FleetStore> opening, FleetTerm term) {
        this.term = term;
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.opening = opening;
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its store and its listeners");
        var bus = new Bus(vertx);
        return context.executeBlocking(() -> {
                    tls = ListenerTls.of(config, shell.clock().instant());
                    store = opening.call();
                    return store.load();
                })
                .compose(stored -> {
                    var fleet = new WorkerFleet(config.timing(), config.maxWorkers(), config.maxInstances());
                    fleet.restore(
                            stored.workers(),
                            stored.instances(),
                            stored.orders(),
                            shell.clock().instant());
                    fleet.restoreTokens(stored.tokens());
                    runtime = new FleetRuntime(
                            vertx,
                            config,
                            fleet,
                            new GroupCommit(store, context, term::fenced),
                            bus,
                            shell.clock()::instant,
                            term::goesOn);
                    metrics = new WorkersMetrics(shell.meters(), runtime);
                    return listen(bus);
                })
                .onSuccess(listening -> {
                    vertx.setPeriodic(TICK_MS, timer -> tick());
                    vertx.setPeriodic(certificatesMs(), timer -> renewCertificates());
                    runtime.observations().everything();
                    shell.readiness().ready(PART);
                });
    }

    private void tick() {
        runtime.tick();
        runtime.observations().some();
        metrics.count();
    }

    /** For programs: what browsers can speak stays closed, as a page of any site could reach a listener on loopback. */
    private GrpcServer grpc() {
        var options = new GrpcServerOptions().setMaxMessageSize(FRAME_MAX);
        Stream.of(GrpcProtocol.values())
                .filter(protocol -> protocol != GrpcProtocol.HTTP_2)
                .forEach(options::removeEnabledProtocol);
        return GrpcServer.server(vertx, options);
    }

    private Future<?> listen(Bus bus) {
        var sessions = grpc();
        var enrolment = new EnrolApi(runtime, config.enrolment(), tls.authority());
        new SessionApi(runtime, enrolment, config, shell.meters()).serve(sessions);
        var requests = grpc();
        new ControlApi(runtime, enrolment).serve(requests);
        return bus.serve(WorkerAddresses.BIND, this::bind)
                .compose(served -> bus.serve(WorkerAddresses.TOUCH, this::touch))
                .compose(served -> bus.subscribe(
                        ClusterAddresses.RELIST_WANTED,
                        wanted -> runtime.observations().everything()))
                .compose(served -> bus.subscribe(
                        ClusterAddresses.LISTED,
                        listed -> runtime.observations().everything()))
                .compose(served -> server(
                                config.host(),
                                config.port(),
                                tls.workers(),
                                (int) config.lease().toSeconds() * IDLE_LEASES)
                        .requestHandler(sessions)
                        .listen())
                .onSuccess(opened -> workers = opened)
                .compose(opened -> server(config.controlHost(), config.controlPort(), tls.controllers(), 0)
                        .requestHandler(requests)
                        .listen())
                .onSuccess(opened -> control = opened)
                .compose(opened -> config.rik().enabled() ? listenForRik() : Future.succeededFuture())
                .compose(opened -> config.kubernetes().enabled() ? speakForNodes(bus) : Future.succeededFuture());
    }

    private Future<?> speakForNodes(Bus bus) {
        var nodes = new KubernetesNodes(
                vertx, bus, runtime.fleet(), shell.clock()::instant, runtime.kubernetes(), config.kubernetes(), (int)
                        config.stopGrace().toSeconds());
        vertx.setPeriodic(TICK_MS, timer -> nodes.tick());
        return nodes.start();
    }

    /** The protocol has neither TLS nor identities, so it is spoken on this machine alone. */
    private Future<?> listenForRik() {
        var rik = new RikApi(runtime, config);
        vertx.setPeriodic(TICK_MS, timer -> rik.tick());
        var agents = grpc();
        rik.serveWorkers(agents);
        var controllers = grpc();
        rik.serveControllers(controllers);
        return server(LOOPBACK, config.rik().workersPort(), Optional.empty(), 0)
                .requestHandler(agents)
                .listen()
                .compose(opened -> server(LOOPBACK, config.rik().controllersPort(), Optional.empty(), 0)
                        .requestHandler(controllers)
                        .listen());
    }

    private HttpServer server(String host, int port, Optional<ServerSSLOptions> identity, int idleSeconds) {
        return vertx.createHttpServer(listener(host, port, identity, idleSeconds));
    }

    static HttpServerOptions listener(String host, int port, Optional<ServerSSLOptions> identity, int idleSeconds) {
        var options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(STREAMS_MAX))
                .setIdleTimeout(idleSeconds)
                .setIdleTimeoutUnit(TimeUnit.SECONDS);
        identity.ifPresent(certificates -> ListenerTls.apply(options, certificates));
        return options;
    }

    /** Files of the operator may change at any time; certificates of this process after two thirds of their life. */
    private long certificatesMs() {
        long life = config.enrolment().certificateLife().toMillis();
        return Math.min(CERTIFICATES_MS, Math.max(TICK_MS, life / 10));
    }

    private void renewCertificates() {
        context.executeBlocking(() -> tls.renew(shell.clock().instant()))
                .compose(changed -> changed ? replaceCertificates() : Future.succeededFuture())
                .onFailure(failed -> LOG.atError()
                        .addKeyValue(LogKeys.ERROR, failed.toString())
                        .log("The certificates of workers' listeners could not be renewed; the old ones are used."));
    }

    private Future<?> replaceCertificates() {
        return workers.updateSSLOptions(tls.workers().orElseThrow())
                .compose(done -> control.updateSSLOptions(tls.controllers().orElseThrow()));
    }

    /** The port of the listener for workers. */
    public int port() {
        return workers.actualPort();
    }

    /** The port of the listener for controllers. */
    public int controlPort() {
        return control.actualPort();
    }

    private Future<PodBinding> bind(BindPod bind) {
        if (runtime.storeDown()) {
            return Future.succeededFuture(new PodBinding.Refused("the store cannot be written"));
        }
        return runtime.bind(bind)
                .map(refused -> refused.<PodBinding>map(PodBinding.Refused::new)
                        .orElseGet(() -> new PodBinding.Bound(bind.node())));
    }

    private Future<PodBinding> touch(TouchPod touch) {
        var found = runtime.fleet().touch(touch.uid(), runtime.now());
        return runtime.apply()
                .map(durable -> found.<PodBinding>map(instance -> instance.state() == InstanceState.PENDING
                                ? new PodBinding.Unbound()
                                : new PodBinding.Bound(WorkerNames.node(instance.worker())))
                        .orElseGet(PodBinding.Gone::new));
    }

    @Override
    public Future<?> stop() {
        var opened = store;
        if (metrics != null) {
            metrics.remove();
        }
        return opened == null
                ? Future.succeededFuture()
                : context.executeBlocking(() -> {
                    opened.close();
                    return null;
                });
    }
}
