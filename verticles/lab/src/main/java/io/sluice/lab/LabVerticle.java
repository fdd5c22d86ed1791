package io.sluice.lab;

import io.sluice.bus.Bus;
import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.api.LabApi;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.ControllerStandIn;
import io.sluice.lab.controller.Delay;
import io.sluice.lab.controller.RestartStandIn;
import io.sluice.lab.core.AuditReport;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.core.LabArrival;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabPod;
import io.sluice.lab.faults.LabFaults;
import io.sluice.lab.guest.GuestSnapshot;
import io.sluice.lab.migration.MigrationStandIn;
import io.sluice.lab.scheduler.PodScheduler;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole fleet in one verticle: the Kubernetes API, nodes, guests with their load, controllers, and an auditor. Once
 * deployed, everything is reachable by {@link #apiUrl()}. Once undeployed, nothing of it remains.
 */
public final class LabVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(LabVerticle.class);
    private static final int HISTORY_MAX = 10_000;

    private final LabConfig config;
    private final Shell shell;
    private final List<LabNode> plan;
    private final List<LabArrival> arrivals;
    private final List<LabPod> pods;
    private final Optional<ApiEndpoint> cluster;
    private final LabFaults faults = new LabFaults();
    private final LabWork work = new LabWork();
    private final VmAccountant accountant;
    private volatile String url = "";
    private volatile Fleet fleet;
    private volatile FleetAuditor auditor;
    private Optional<LabApi> own = Optional.empty();
    private Optional<PodScheduler> scheduler = Optional.empty();
    private ApiClient client;

    /** The lab of the demo; it starts when it is deployed. */
    public LabVerticle(LabConfig config, Shell shell) {
        this(
                config,
                shell,
                FleetPlan.nodes(),
                config.extender().isEmpty() ? List.of() : FleetPlan.arrivals(),
                config.pods() ? FleetPlan.pods() : List.of(),
                Optional.empty());
    }

    /** A lab with the given fleet; it starts when it is deployed. */
    public LabVerticle(LabConfig config, Shell shell, List<LabNode> plan) {
        this(config, shell, plan, List.of());
    }

    /**
     * A lab with the given fleet; it starts when it is deployed.
     *
     * @param arrivals the VMs that arrive later; none arrive without an extender in the config
     */
    public LabVerticle(LabConfig config, Shell shell, List<LabNode> plan, List<LabArrival> arrivals) {
        this(config, shell, plan, config.extender().isEmpty() ? List.of() : arrivals, List.of(), Optional.empty());
    }

    private LabVerticle(
            LabConfig config,
            Shell shell,
            List<LabNode> plan,
            List<LabArrival> arrivals,
            List<LabPod> pods,
            Optional<ApiEndpoint> cluster) {
        this.config = config;
        this.shell = shell;
        this.accountant = new VmAccountant(shell.clock());
        this.plan = List.copyOf(plan);
        this.arrivals = List.copyOf(arrivals);
        this.pods = List.copyOf(pods);
        this.cluster = cluster;
    }

    /** A lab with its objects in an existing Kubernetes cluster; when undeployed, it deletes them. */
    public static LabVerticle in(ApiEndpoint cluster, LabConfig config, Shell shell, List<LabNode> plan) {
        return new LabVerticle(config, shell, plan, List.of(), List.of(), Optional.of(cluster));
    }

    /** The faults of the lab, on request. */
    public LabFaults faults() {
        return faults;
    }

    /** The work of its guests besides their load, on request. */
    public LabWork work() {
        return work;
    }

    /** The URL of its Kubernetes API; may be called from any thread, once deployed. */
    public String apiUrl() {
        if (url.isEmpty()) {
            throw new IllegalStateException("the lab is not deployed yet");
        }
        return url;
    }

    /** The findings of its auditor so far; may be called from any thread. */
    public AuditReport audit() {
        var live = auditor;
        return live == null ? AuditReport.EMPTY : live.report();
    }

    /**
     * The CPU that a VM or pod had from one instant to another, by the writes to its object, in milli-CPU times
     * nanoseconds. Empty if that is not stored any more, and for a fleet in another Kubernetes cluster. May be called
     * from any thread.
     */
    public Optional<BigInteger> held(String vm, Instant from, Instant to) {
        return accountant.held(vm, from, to);
    }

    /** The names of the VMs and pods that ever had CPU, by the same account. */
    public Set<String> accounted() {
        return accountant.vms();
    }

    /** By how much a bill may differ from {@link #held}, where each change counts up to a second early or late. */
    public BigInteger tolerance(String vm, Instant from, Instant to) {
        return accountant.tolerance(vm, from, to);
    }

    /** The state of each guest, by its VM's name; may be called from any thread. */
    public Map<String, GuestSnapshot> guests() {
        var snapshots = new TreeMap<String, GuestSnapshot>();
        var live = fleet;
        if (live != null) {
            live.guests().forEach((name, guest) -> snapshots.put(name, guest.snapshot()));
        }
        return snapshots;
    }

    /** The CPU that each ordinary pod uses now, by its name; may be called from any thread. */
    public Map<String, Double> podCpus() {
        var live = fleet;
        return live == null ? Map.of() : live.podCpus();
    }

    @Override
    public Future<?> start() {
        return cluster.map(Future::succeededFuture)
                .orElseGet(this::startOwn)
                .compose(this::populate)
                .onSuccess(done -> LOG.atInfo()
                        .addKeyValue(LogKeys.ENDPOINT, url)
                        .addKeyValue(LogKeys.COUNT, fleet.guests().size())
                        .log("The lab's fleet runs."));
    }

    private Future<ApiEndpoint> startOwn() {
        var api = new LabApi(vertx, shell.clock(), HISTORY_MAX);
        api.failWrites(faults::answerToWrite);
        api.publishSizes(accountant::written);
        own = Optional.of(api);
        return api.start(config.address(), config.apiPort()).map(ApiEndpoint::open);
    }

    @Override
    public Future<?> stop() {
        if (auditor != null) {
            auditor.stop();
        }
        boolean leaves = cluster.isPresent() && fleet != null;
        var left = leaves ? fleet.withdraw() : Future.<Void>succeededFuture();
        return left.transform(withdrawn -> end());
    }

    private Future<?> end() {
        var ended = new ArrayList<Future<?>>();
        scheduler.ifPresent(placing -> ended.add(placing.close()));
        if (client != null) {
            ended.add(client.close());
        }
        if (fleet != null) {
            ended.add(fleet.close());
        }
        own.ifPresent(api -> ended.add(api.close()));
        return Future.join(ended);
    }

    private Future<Void> populate(ApiEndpoint server) {
        client = new ApiClient(vertx, server);
        var starting = new Fleet(vertx, client, shell.clock(), config.day(), faults, work);
        return starting.start(plan, pods, resizing())
                .map(up -> {
                    fleet = starting;
                    controllers(starting);
                    if (!arrivals.isEmpty()) {
                        arrivals(starting);
                    }
                    auditor = new FleetAuditor(vertx, client, new Bus(vertx));
                    auditor.start(config.auditEvery());
                    url = server.url();
                    return up;
                })
                .recover(failure -> starting.close().transform(closed -> Future.failedFuture(failure)));
    }

    private Delay resizing() {
        return new Delay(config.controllerDelayMin(), config.controllerDelayMax(), new Random(config.seed()));
    }

    private void arrivals(Fleet starting) {
        var random = new Random(config.seed());
        var boot = new Delay(config.migration().pendingMin(), config.migration().pendingMax(), random);
        var placing = new PodScheduler(vertx, client, config.extender(), random);
        scheduler = Optional.of(placing);
        placing.start();
        client.follow(
                LabPaths.PODS,
                pod -> starting.bound(pod, boot.next()).onFailure(failure -> notStarted(LabPaths.PODS, failure)),
                gone -> {});
        arrivals.forEach(arrival -> vertx.setTimer(
                arrival.after().toMillis(),
                due -> starting.arrive(arrival.vm())
                        .onFailure(failure -> notStarted(arrival.vm().name(), failure))));
    }

    private void notStarted(String what, Throwable failure) {
        if (!client.isClosed()) {
            LOG.atError()
                    .addKeyValue(LogKeys.VM, what)
                    .addKeyValue(LogKeys.ERROR, failure.toString())
                    .log("A VM that arrived could not be started.");
        }
    }

    private void controllers(Fleet starting) {
        var resizes = new HashMap<String, Consumer<Resources>>();
        starting.guests().forEach((name, guest) -> resizes.put(name, guest::resize));
        arrivals.forEach(arrival -> resizes.put(
                arrival.vm().name(),
                size -> starting.guests().get(arrival.vm().name()).resize(size)));
        var random = new Random(config.seed());
        var delay = new Delay(config.controllerDelayMin(), config.controllerDelayMax(), random);
        new ControllerStandIn(vertx, client, shell.clock(), delay, resizes, faults).start();
        new RestartStandIn(vertx, client, delay, resizes).start();
        var times = config.migration();
        var pace = new MigrationStandIn.Pace(
                delay,
                new Delay(times.pendingMin(), times.pendingMax(), random),
                new Delay(times.runningMin(), times.runningMax(), random));
        new MigrationStandIn(vertx, client, shell.clock(), pace, faults).start();
    }
}
