package io.sluice.lab;

import io.sluice.bus.Bus;
import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.api.LabApi;
import io.sluice.lab.controller.ControllerStandIn;
import io.sluice.lab.controller.Delay;
import io.sluice.lab.controller.RestartStandIn;
import io.sluice.lab.core.AuditReport;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.guest.GuestSnapshot;
import io.sluice.lab.migration.MigrationStandIn;
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
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole fleet in one verticle: the Kubernetes API, nodes, guests with their load, a controller, and an auditor.
 * Once it is deployed, everything answers at {@link #apiUrl()}; once it is undeployed, nothing of it is left.
 */
public final class LabVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(LabVerticle.class);
    private static final int HISTORY_MAX = 10_000;

    private final LabConfig config;
    private final Shell shell;
    private final List<LabNode> plan;
    private final Optional<ApiEndpoint> cluster;
    private final LabFaults faults = new LabFaults();
    private final LabWork errands = new LabWork();
    private final VmAccountant accountant;
    private volatile String url = "";
    private volatile Fleet fleet;
    private volatile FleetAuditor auditor;
    private Optional<LabApi> own = Optional.empty();
    private ApiClient client;

    /** The lab of the demo; it starts when it is deployed. */
    public LabVerticle(LabConfig config, Shell shell) {
        this(config, shell, FleetPlan.nodes());
    }

    /** A lab with a fleet of its own; it starts when it is deployed. */
    public LabVerticle(LabConfig config, Shell shell, List<LabNode> plan) {
        this(config, shell, plan, Optional.empty());
    }

    private LabVerticle(LabConfig config, Shell shell, List<LabNode> plan, Optional<ApiEndpoint> cluster) {
        this.config = config;
        this.shell = shell;
        this.accountant = new VmAccountant(shell.clock());
        this.plan = List.copyOf(plan);
        this.cluster = cluster;
    }

    /** One whose objects stand in a cluster that is there already; undeployed, it takes them away. */
    public static LabVerticle in(ApiEndpoint cluster, LabConfig config, Shell shell, List<LabNode> plan) {
        return new LabVerticle(config, shell, plan, Optional.of(cluster));
    }

    /** What goes wrong in it, on request. */
    public LabFaults faults() {
        return faults;
    }

    /** What its guests do beside their load, on request. */
    public LabWork errands() {
        return errands;
    }

    /** Where its Kubernetes API listens; from any thread, once deployed. */
    public String apiUrl() {
        if (url.isEmpty()) {
            throw new IllegalStateException("the lab is not deployed yet");
        }
        return url;
    }

    /** What its auditor found so far; from any thread. */
    public AuditReport audit() {
        var live = auditor;
        return live == null ? AuditReport.EMPTY : live.report();
    }

    /**
     * CPU that a VM had from one instant to another, by what was written to it: milli-CPU times nanoseconds; from any
     * thread. Empty where it is not known any more, and for a fleet that stands in another cluster.
     */
    public Optional<BigInteger> held(String vm, Instant from, Instant to) {
        return accountant.held(vm, from, to);
    }

    /** What each guest looks like, by its VM's name; from any thread. */
    public Map<String, GuestSnapshot> guests() {
        var snapshots = new TreeMap<String, GuestSnapshot>();
        var live = fleet;
        if (live != null) {
            live.guests().forEach((name, guest) -> snapshots.put(name, guest.snapshot()));
        }
        return snapshots;
    }

    @Override
    public Future<?> start() {
        return cluster.map(Future::succeededFuture)
                .orElseGet(this::startOwn)
                .compose(this::populate)
                .onSuccess(done -> LOG.atInfo()
                        .addKeyValue(LogKeys.ENDPOINT, url)
                        .addKeyValue(LogKeys.COUNT, fleet.guests().size())
                        .log("The lab's fleet is up."));
    }

    private Future<ApiEndpoint> startOwn() {
        var api = new LabApi(vertx, shell.clock(), HISTORY_MAX);
        api.failWrites(faults::answerToWrite);
        api.tellOfVms(accountant::written);
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
        var starting = new Fleet(vertx, client, shell.clock(), config.day(), faults, errands);
        return starting.start(plan)
                .map(up -> {
                    fleet = starting;
                    controllers(starting);
                    auditor = new FleetAuditor(vertx, client, new Bus(vertx));
                    auditor.start(config.auditEvery());
                    url = server.url();
                    return up;
                })
                .recover(failure -> starting.close().transform(closed -> Future.failedFuture(failure)));
    }

    private void controllers(Fleet starting) {
        var resizes = new HashMap<String, Consumer<Resources>>();
        starting.guests().forEach((name, guest) -> resizes.put(name, guest::resize));
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
