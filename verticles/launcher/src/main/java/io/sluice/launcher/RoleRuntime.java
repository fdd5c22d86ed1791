package io.sluice.launcher;

import com.hazelcast.core.HazelcastException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.agent.AgentVerticle;
import io.sluice.agent.AssignmentMode;
import io.sluice.agent.scheduler.SchedulerTransport;
import io.sluice.billing.BillingVerticle;
import io.sluice.gateway.GatewayConfig;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.gateway.HealthVerticle;
import io.sluice.gateway.VmMetricsVerticle;
import io.sluice.gateway.console.ConsoleProcess;
import io.sluice.gateway.console.ConsoleVerticle;
import io.sluice.gateway.core.peers.RoleNeeds;
import io.sluice.gateway.dump.DumpVerticle;
import io.sluice.gateway.extender.ExtenderVerticle;
import io.sluice.gateway.peers.PeerVerticle;
import io.sluice.launcher.cluster.Membership;
import io.sluice.launcher.config.ConfigInForce;
import io.sluice.launcher.config.ConfigWatch;
import io.sluice.launcher.config.LiveSections;
import io.sluice.launcher.config.Settings;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.launcher.core.Role;
import io.sluice.launcher.traces.Traces;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.ledger.clustered.ClusteredLedger;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.ledger.store.MemoryLedgerStore;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.events.VmEventVerticle;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.neonvm.watch.SchedulingVerticle;
import io.sluice.placement.PlacementVerticle;
import io.sluice.placement.elastic.ElasticVerticle;
import io.sluice.placement.scheduler.SchedulerVerticle;
import io.sluice.pods.PodVerticle;
import io.sluice.pods.node.NodeAgentVerticle;
import io.sluice.pressure.PressureVerticle;
import io.sluice.shell.ClusterStatus;
import io.sluice.shell.Dumps;
import io.sluice.shell.LogKeys;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.sluice.shell.SoleTerm;
import io.sluice.workers.WorkersElection;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All verticles of one process, started in the order of their dependencies and stopped in reverse. The ops listener
 * opens first, so that a process that is slow to start can report why. Informers start after all consumers of their
 * observations; listeners for other programs come last.
 */
final class RoleRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(RoleRuntime.class);
    private static final String PART = "launcher";
    private static final Duration START_MAX = Duration.ofSeconds(30);
    private static final Duration WATCH_EVERY = Duration.ofSeconds(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    private final Settings settings;
    private final Traces traces = new Traces(System.getenv());
    private final PrometheusMeterRegistry meters = traces.registry();
    private final PrometheusMeterRegistry vmMeters = traces.registry();
    private final VertxMetrics vertxMetrics;
    private final LiveSections live = new LiveSections();
    private final ConfigInForce inForce;
    private final Vertx plain;
    private final Optional<ClusteredLedger> ledger;
    private Shell shell;
    private Vertx vertx;
    private Optional<Membership> membership = Optional.empty();
    private final ShutdownSequence stops = new ShutdownSequence();
    private final SharedEventLoop permits = new SharedEventLoop();
    private final SharedEventLoop placements = new SharedEventLoop();
    private final SharedEventLoop reactions = new SharedEventLoop();
    private Optional<LabStarter> lab = Optional.empty();
    private ServedCluster served;
    private PeerVerticle peers;
    private ConsoleVerticle console;

    private RoleRuntime(Settings settings) {
        this.settings = settings;
        this.inForce = new ConfigInForce(settings.config());
        this.shell = new Shell(new MonotonicClock(), meters, vmMeters, new Readiness(), new Dumps(), new Random());
        this.ledger = ledger(settings.config());
        this.vertxMetrics = new VertxMetrics(meters, sections(settings.config().gateway()));
        traces.start(Main.version(), meters);
        stops.push("the export of traces", traces::close);
        this.plain = vertxMetrics.builder(options()).build();
        this.vertx = plain;
        closing("Vert.x", plain);
    }

    private static Map<String, String> sections(GatewayConfig listeners) {
        var sections = new HashMap<String, String>();
        listeners.bySection().forEach((section, listener) -> sections.put(Integer.toString(listener.port()), section));
        return sections;
    }

    private static VertxOptions options() {
        var files = new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
        return new VertxOptions().setFileSystemOptions(files);
    }

    private void closing(String what, Vertx closed) {
        stops.push(what, atMost -> BlockingWait.on(closed.close(), atMost, what + " did not close"));
    }

    /** Of a process that shares its ledger state with others. */
    private static Optional<ClusteredLedger> ledger(SluiceConfig config) {
        return config.hazelcast().clustered() && config.roleSet().contains(Role.LEDGER)
                ? Optional.of(new ClusteredLedger(
                        config.ledger().rules(),
                        config.hazelcast().ledgers(),
                        System::nanoTime,
                        InstantSource.system()))
                : Optional.empty();
    }

    /**
     * Starts what the settings name.
     *
     * @param guest a verticle of the caller's, deployed before all roles, so that it receives all their events
     * @throws StartException when something could not be started; everything that was started is stopped again
     */
    static RoleRuntime start(Settings settings, Optional<Deployable> guest) throws StartException {
        return start(settings, guest, () -> false).orElseThrow();
    }

    /**
     * The same, with a way to end the wait for other processes.
     *
     * @param ending whether the process is to end
     * @return empty when the process is to end before everything has started; then nothing runs any more
     */
    static Optional<RoleRuntime> start(Settings settings, Optional<Deployable> guest, BooleanSupplier ending)
            throws StartException {
        var runtime = new RoleRuntime(settings);
        ConfigWatch.announce(runtime.meters);
        try {
            if (runtime.startAll(guest, ending)) {
                return Optional.of(runtime);
            }
            runtime.stop();
            return Optional.empty();
        } catch (StartException | RuntimeException failed) {
            runtime.stop();
            throw failed;
        }
    }

    Optional<LabStarter> lab() {
        return lab;
    }

    /** Stops everything, the last first, within a bound; returns whether all of it stopped. */
    boolean stop() {
        return stops.all(STOP_MAX);
    }

    private boolean startAll(Optional<Deployable> guest, BooleanSupplier ending) throws StartException {
        var config = settings.config();
        var roles = config.roleSet();
        ProcessMetrics.measure(meters, stops);
        shell.readiness().waitFor(PART, "its roles to start");
        var listeners = config.gateway();
        var health = new HealthVerticle(listeners.ops(), shell, meters::scrape);
        deployLive("the ops listener", health, reloaded -> reloaded.gateway().ops());
        if (config.hazelcast().clustered()) {
            if (!join(ending)) {
                return false;
            }
            health.watch(vertx);
        }
        traces.recordOn(vertx);
        peers = new PeerVerticle(shell, Main.version(), Set.copyOf(names(roles)), RoleNeeds.of(hasLedger(roles)));
        deploy("the watch on other processes", peers);
        if (guest.isPresent()) {
            deploy("the demo", guest.get());
        }
        served = new ServedCluster(startLab(roles).orElse(config.kubernetes()), meters, stops);
        if (needsLease(roles) && !served.hold(plain, config.lease(), config.hazelcast(), shell, ending)) {
            return false;
        }
        if (roles.contains(Role.LEDGER)) {
            deployOn(permits, Role.LEDGER.title(), ledger(), SluiceConfig::ledger);
        }
        if (roles.contains(Role.PRESSURE)) {
            deployLive(Role.PRESSURE, new PressureVerticle(config.pressure(), shell), SluiceConfig::pressure);
        }
        if (roles.contains(Role.PLACEMENT)) {
            deployOn(
                    placements,
                    Role.PLACEMENT.title(),
                    new PlacementVerticle(config.placement(), shell),
                    SluiceConfig::placement);
            if (config.placement().elastic().enabled()) {
                deploy(
                        "elastic jobs",
                        new ElasticVerticle(config.placement().elastic(), shell, InstantSource.system()));
            }
        }
        if (roles.contains(Role.MONITOR)) {
            deploy(Role.MONITOR, reactions.of(new MonitorVerticle(config.monitor(), shell)));
        }
        if (roles.contains(Role.BILLING)) {
            deploy(Role.BILLING, billing());
        }
        startConsole(roles);
        startDriver(roles);
        startScheduler(roles);
        if (roles.contains(Role.WORKERS)) {
            deploy(Role.WORKERS, WorkersElection.of(config.workers(), shell));
        }
        if (roles.contains(Role.GATEWAY)) {
            var reviewer = served.reviewer(listeners.agent().tokenReview(), vertx, shell);
            deployOn(
                    permits,
                    Role.GATEWAY.title(),
                    new GatewayVerticle(listeners, shell, reviewer),
                    SluiceConfig::gateway);
        }
        if (roles.containsAll(Set.of(Role.GATEWAY, Role.PLACEMENT))) {
            var extender = new ExtenderVerticle(
                    listeners.extender(), shell, config.placement().schedulerName());
            deployOn(
                    placements,
                    "the listener for kube-scheduler",
                    extender,
                    reloaded -> reloaded.gateway().extender());
        }
        shell.readiness().ready(PART);
        LOG.atInfo().addKeyValue(LogKeys.ROLE, names(roles)).log("Started.");
        return true;
    }

    /**
     * Joins the Hazelcast cluster. Listeners that were opened before stay on the Vert.x without a bus, so that they
     * reply even if joining fails.
     */
    private boolean join(BooleanSupplier ending) throws StartException {
        var config = settings.config();
        Optional<Membership> joined;
        try {
            joined = Membership.join(config.hazelcast(), config.roleSet(), ledger, shell.readiness(), ending);
        } catch (HazelcastException | IllegalStateException refused) {
            throw new StartException(
                    "no Hazelcast cluster could be joined with the section hazelcast: " + refused.getMessage(),
                    refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
        if (joined.isEmpty()) {
            return false;
        }
        var member = joined.get();
        stops.push("the Hazelcast member", atMost -> member.leave());
        vertx = BlockingWait.on(member.vertx(options(), vertxMetrics::builder), START_MAX, "the bus did not start");
        closing("the bus", vertx);
        member.measure(meters);
        shell = shell.among(member.peers(), member.replica(vertx));
        membership = joined;
        return true;
    }

    /**
     * Whether the process needs the lease. Processes that send observations to a ledger decide what is granted, so only
     * one installation may do that in a Kubernetes cluster; the lab's own API server needs no lease.
     */
    private boolean needsLease(Set<Role> roles) {
        return settings.config().lease().enabled()
                && roles.contains(Role.CLUSTER)
                && hasLedger(roles)
                && lab.filter(LabStarter::isOwn).isEmpty();
    }

    private LedgerVerticle ledger() {
        var config = settings.config().ledger();
        LedgerStore store = membership
                .flatMap(joined -> ledger.map(kept -> kept.open(joined.member(), vertx)))
                .orElseGet(() -> new MemoryLedgerStore(new NodeLedger(config.rules()), shell.clock()));
        return new LedgerVerticle(config, served.gated(store), shell);
    }

    /** Billing has the same assignment as the agents where that is by node. */
    private BillingVerticle billing() {
        var config = settings.config();
        return config.agent().assignment() == AssignmentMode.NODE
                ? BillingVerticle.ofNode(config.agent().node(), config.billing(), shell)
                : new BillingVerticle(config.billing(), shell);
    }

    /** Completes, with a reason, when all verticles must be stopped and started anew. */
    CompletableFuture<String> lost() {
        return membership
                .map(Membership::lost)
                .orElseGet(CompletableFuture::new)
                .applyToEither(served.taken(), reason -> reason);
    }

    private Optional<KubernetesConfig> startLab(Set<Role> roles) throws StartException {
        if (!roles.contains(Role.LAB)) {
            return Optional.empty();
        }
        var room = new LabStarter(
                settings.lab().orElseThrow(), shell, settings.config().kubernetes());
        deploy(Role.LAB, room.verticle());
        lab = Optional.of(room);
        return Optional.of(room.kubernetes());
    }

    /**
     * Starts the runners between both halves of the driver: they send patches to the first, and receive observations
     * from the second.
     */
    private void startDriver(Set<Role> roles) throws StartException {
        var config = settings.config();
        boolean agentLooks =
                roles.contains(Role.AGENT) && config.agent().scheduler().usesKubernetes();
        if (!agentLooks && roles.stream().noneMatch(Role::usesKubernetes)) {
            startAgent(roles, Optional.empty());
            return;
        }
        var client = served.client();
        if (roles.contains(Role.VM)) {
            deploy(Role.VM, reactions.of(new VmPatchVerticle(config.vm(), served.config(), shell, client)));
            deploy(Role.VM, new VmEventVerticle(config.vm(), served.config(), shell, client));
        }
        if (roles.contains(Role.PODS)) {
            deploy(Role.PODS, new PodVerticle(config.pods(), shell, client));
        }
        if (roles.contains(Role.NODE_AGENT)) {
            deploy(Role.NODE_AGENT, new NodeAgentVerticle(config.pods().nodeAgent(), shell, client));
        }
        startAgent(roles, Optional.of(client));
        if (roles.contains(Role.CLUSTER)) {
            deploy(Role.CLUSTER, clusterVerticle(roles, client));
        }
    }

    /** One process at a time places pods without kube-scheduler, and evicts pods; it publishes itself what it reads. */
    private void startScheduler(Set<Role> roles) throws StartException {
        var config = settings.config();
        if (!roles.contains(Role.PLACEMENT) || !config.placement().readsScheduling()) {
            return;
        }
        Supplier<SoleTerm> term = lab.filter(LabStarter::isOwn).isPresent()
                ? () -> new SoleTerm(0, Optional.empty())
                : served.seekSchedulerTerm(config.lease().ofScheduler())::term;
        deployOn(
                placements,
                "the own scheduler",
                new SchedulerVerticle(config.placement(), shell, term),
                SluiceConfig::placement);
        deploy(
                "the observations for the own scheduler",
                new SchedulingVerticle(
                        served.config(),
                        shell,
                        served.client(),
                        () -> term.get().missing(),
                        SchedulerVerticle.PART,
                        new SchedulingVerticle.Reads(
                                config.placement().preemption(),
                                config.placement().gangs().enabled())));
    }

    /** Observations may be left out only where no ledger is on this bus: a ledger counts all pods. */
    private ClusterVerticle clusterVerticle(Set<Role> roles, KubernetesClient client) {
        var config = settings.config();
        var cluster = roles.contains(Role.PODS) ? config.cluster().scalingPods() : config.cluster();
        if (hasLedger(roles)) {
            return new ClusterVerticle(cluster, served.config(), shell, client);
        }
        return roles.contains(Role.AGENT) && config.agent().assignment() == AssignmentMode.NODE
                ? ClusterVerticle.ofNode(config.agent().node(), cluster, served.config(), shell, client)
                : ClusterVerticle.withoutLedger(cluster, served.config(), shell, client);
    }

    /** Whether a ledger is on this bus. Where the agents use HTTP and this process has no ledger, there is none. */
    private boolean hasLedger(Set<Role> roles) {
        return roles.contains(Role.LEDGER)
                || settings.config().agent().scheduler().transport() == SchedulerTransport.BUS;
    }

    /** Starts the console before the publishers of what it shows. */
    private void startConsole(Set<Role> roles) throws StartException {
        if (!roles.contains(Role.GATEWAY)) {
            return;
        }
        var process = new ConsoleProcess(
                Main.version(),
                names(roles),
                Instant.now().minus(ProcessLifetime.age()),
                inForce::json,
                () -> membership.map(Membership::status).orElse(ClusterStatus.ALONE),
                peers::report);
        console = new ConsoleVerticle(settings.config().gateway().console(), shell, process);
        deployLive("the console", console, config -> config.gateway().console());
    }

    private void startAgent(Set<Role> roles, Optional<KubernetesClient> client) throws StartException {
        if (!roles.contains(Role.AGENT)) {
            return;
        }
        var listeners = settings.config().gateway();
        deploy(Role.AGENT, reactions.of(new AgentVerticle(settings.config().agent(), shell, client)));
        deployLive(
                "the listener of the VMs' metrics",
                new VmMetricsVerticle(listeners.vmMetrics(), shell, vmMeters::scrape),
                config -> config.gateway().vmMetrics());
        deployLive(
                "the dump listener",
                new DumpVerticle(listeners.dump(), shell),
                config -> config.gateway().dump());
    }

    /**
     * Puts changes of live keys into force from now on.
     *
     * @param reader reads all sources of config; called off the event loop
     */
    void watch(Supplier<Settings> reader) {
        var watch = new ConfigWatch(vertx, reader, settings, this::take, meters);
        watch.start(WATCH_EVERY, shell.readiness());
        stops.push("the watch on the config", atMost -> watch.stop());
    }

    /** The console's port; empty for a process without a console. */
    Optional<Integer> consolePort() {
        return Optional.ofNullable(console).map(ConsoleVerticle::port);
    }

    /** Puts changes of live keys into force; where one part refuses, the old config stays in force. */
    private Future<Void> take(SluiceConfig config) {
        return live.take(config, inForce.config()).onSuccess(taken -> inForce.is(config));
    }

    private void deploy(Role role, Deployable verticle) throws StartException {
        deploy(role.title(), verticle);
    }

    private <C, V extends Deployable & Reloadable<C>> void deployLive(
            Role role, V verticle, Function<SluiceConfig, C> section) throws StartException {
        deployLive(role.title(), verticle, section);
    }

    /** Deploys a verticle that takes its section of a new config while it runs. */
    private <C, V extends Deployable & Reloadable<C>> void deployLive(
            String what, V verticle, Function<SluiceConfig, C> section) throws StartException {
        deploy(what, verticle);
        live.add(config -> verticle.reload(section.apply(config)));
    }

    /** The same, on an event loop of all verticles that a permit request passes, or a pod to be placed. */
    private <C, V extends Deployable & Reloadable<C>> void deployOn(
            SharedEventLoop loop, String what, V verticle, Function<SluiceConfig, C> section) throws StartException {
        deploy(what, loop.of(verticle));
        live.add(config -> verticle.reload(section.apply(config)));
    }

    private static List<String> names(Set<Role> roles) {
        return roles.stream().map(Role::key).sorted().toList();
    }

    private void deploy(String what, Deployable verticle) throws StartException {
        // The ops listener opens before the process joins, so it is not on the bus's Vert.x, which is closed before it.
        var home = vertx;
        var id = BlockingWait.on(home.deployVerticle(verticle), START_MAX, what + " did not start");
        stops.push(what, atMost -> BlockingWait.on(home.undeploy(id), atMost, what + " did not stop"));
    }
}
