package io.sluice.launcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.agent.AgentVerticle;
import io.sluice.agent.scheduler.SchedulerVia;
import io.sluice.gateway.DumpVerticle;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.gateway.HealthVerticle;
import io.sluice.gateway.VmMetricsVerticle;
import io.sluice.gateway.console.ConsoleProcess;
import io.sluice.gateway.console.ConsoleVerticle;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.ClusterVerticle;
import io.sluice.neonvm.KubernetesConfig;
import io.sluice.neonvm.KubernetesConnection;
import io.sluice.neonvm.VmEventVerticle;
import io.sluice.neonvm.VmPatchVerticle;
import io.sluice.pressure.PressureVerticle;
import io.sluice.shell.Dumps;
import io.sluice.shell.LogKeys;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All verticles of one process, started in the order in which they need each other and stopped in reverse.
 *
 * <p>The health door opens first, so that a process that is slow to start can be asked why. Informers start after
 * everybody who hears them; doors for others come last.
 */
final class House {
    private static final Logger LOG = LoggerFactory.getLogger(House.class);
    private static final String PART = "launcher";
    private static final Duration START_MAX = Duration.ofSeconds(30);
    private static final Duration WATCH_EVERY = Duration.ofSeconds(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    private final Settings settings;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final PrometheusMeterRegistry vmMeters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LiveSections live = new LiveSections();
    private final ConfigInForce inForce;
    private final Shell shell;
    private final Vertx vertx;
    private final Deque<Stop> stops = new ArrayDeque<>();
    private Optional<LabRoom> lab = Optional.empty();
    private ConsoleVerticle console;

    /** How one thing that was started is stopped. */
    private record Stop(String what, Stopping action) {}

    private interface Stopping {
        void within(Duration atMost) throws StartException;
    }

    private House(Settings settings) {
        this.settings = settings;
        this.inForce = new ConfigInForce(settings.config());
        this.shell = new Shell(new MonotonicClock(), meters, vmMeters, new Readiness(), new Dumps(), new Random());
        var files = new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
        this.vertx = Vertx.vertx(new VertxOptions().setFileSystemOptions(files));
        stops.push(new Stop("Vert.x", atMost -> Waiting.on(vertx.close(), atMost, "Vert.x did not close")));
    }

    /**
     * Starts what the settings name.
     *
     * @param guest a verticle of the caller's, deployed before all roles; it hears all that they say
     * @throws StartException when something could not be started; all that was is stopped again
     */
    static House start(Settings settings, Optional<Deployable> guest) throws StartException {
        var house = new House(settings);
        ConfigWatch.announce(house.meters);
        try {
            house.startAll(guest);
            return house;
        } catch (StartException | RuntimeException failed) {
            house.stop();
            throw failed;
        }
    }

    Optional<LabRoom> lab() {
        return lab;
    }

    /** Stops everything, the last first, within a bound; says whether all of it stopped. */
    boolean stop() {
        long end = System.nanoTime() + STOP_MAX.toNanos();
        boolean clean = true;
        while (!stops.isEmpty()) {
            var next = stops.pop();
            var left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            try {
                next.action().within(left);
            } catch (StartException failed) {
                clean = false;
                LOG.atWarn().addKeyValue(LogKeys.ERROR, failed.getMessage()).log(next.what() + " was left behind.");
            }
        }
        LOG.atInfo().log("Stopped.");
        return clean;
    }

    private void startAll(Optional<Deployable> guest) throws StartException {
        var config = settings.config();
        var roles = config.roleSet();
        measureProcess();
        shell.readiness().waitFor(PART, "its roles to start");
        var doors = config.gateway();
        deployLive(
                "the ops door",
                new HealthVerticle(doors.ops(), shell, meters::scrape),
                wanted -> wanted.gateway().ops());
        if (guest.isPresent()) {
            deploy("the demo", guest.get());
        }
        var kubernetes = startLab(roles).orElse(config.kubernetes());
        if (roles.contains(Role.LEDGER)) {
            deployLive(Role.LEDGER, new LedgerVerticle(config.ledger(), shell), SluiceConfig::ledger);
        }
        if (roles.contains(Role.PRESSURE)) {
            deployLive(Role.PRESSURE, new PressureVerticle(config.pressure(), shell), SluiceConfig::pressure);
        }
        if (roles.contains(Role.MONITOR)) {
            deploy(Role.MONITOR, new MonitorVerticle(config.monitor(), shell));
        }
        startConsole(roles);
        startDriver(roles, kubernetes);
        if (roles.contains(Role.GATEWAY)) {
            deployLive(Role.GATEWAY, new GatewayVerticle(doors, shell), SluiceConfig::gateway);
        }
        shell.readiness().ready(PART);
        LOG.atInfo()
                .addKeyValue(LogKeys.ROLE, roles.stream().map(Role::key).toList())
                .log("Started.");
    }

    private void measureProcess() {
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        var pauses = new JvmGcMetrics();
        pauses.bindTo(meters);
        stops.push(new Stop("the watch on pauses", atMost -> pauses.close()));
    }

    private Optional<KubernetesConfig> startLab(Set<Role> roles) throws StartException {
        if (!roles.contains(Role.LAB)) {
            return Optional.empty();
        }
        var room = new LabRoom(settings.lab().orElseThrow(), shell);
        deploy(Role.LAB, room.verticle());
        lab = Optional.of(room);
        return Optional.of(settings.config().kubernetes().at(room.apiUrl()));
    }

    /** The runners stand between both halves of the driver: they patch by the one and hear of VMs from the other. */
    private void startDriver(Set<Role> roles, KubernetesConfig kubernetes) throws StartException {
        var config = settings.config();
        boolean agentLooks =
                roles.contains(Role.AGENT) && config.agent().scheduler().asksKubernetes();
        if (!roles.contains(Role.VM) && !roles.contains(Role.CLUSTER) && !agentLooks) {
            startAgent(roles, Optional.empty());
            return;
        }
        var client = connect(kubernetes, meters);
        stops.push(new Stop("the Kubernetes client", atMost -> client.close()));
        if (roles.contains(Role.VM)) {
            deploy(Role.VM, new VmPatchVerticle(config.vm(), kubernetes, shell, client));
            deploy(Role.VM, new VmEventVerticle(config.vm(), kubernetes, shell, client));
        }
        startAgent(roles, Optional.of(client));
        if (roles.contains(Role.CLUSTER)) {
            deploy(
                    Role.CLUSTER,
                    hasLedger(roles)
                            ? new ClusterVerticle(config.cluster(), kubernetes, shell, client)
                            : ClusterVerticle.withoutLedger(config.cluster(), kubernetes, shell, client));
        }
    }

    /** Where the runners ask over HTTP and there is no ledger here, there is none on this bus. */
    private boolean hasLedger(Set<Role> roles) {
        return roles.contains(Role.LEDGER)
                || settings.config().agent().scheduler().via() == SchedulerVia.BUS;
    }

    private static KubernetesClient connect(KubernetesConfig kubernetes, MeterRegistry meters) throws StartException {
        try {
            return KubernetesConnection.open(kubernetes, meters);
        } catch (IllegalArgumentException unreadable) {
            throw new StartException(unreadable.getMessage(), unreadable);
        } catch (KubernetesClientException refused) {
            var cause = refused.getCause() == null ? refused : refused.getCause();
            throw new StartException("the API server cannot be reached by the section kubernetes: " + cause, refused);
        }
    }

    /** Before whoever says what it shows. */
    private void startConsole(Set<Role> roles) throws StartException {
        if (!roles.contains(Role.GATEWAY)) {
            return;
        }
        var process = new ConsoleProcess(
                Main.version(),
                roles.stream().map(Role::key).sorted().toList(),
                Instant.now().minus(Life.age()),
                inForce::json);
        console = new ConsoleVerticle(settings.config().gateway().console(), shell, process);
        deployLive("the console", console, wanted -> wanted.gateway().console());
    }

    private void startAgent(Set<Role> roles, Optional<KubernetesClient> client) throws StartException {
        if (!roles.contains(Role.AGENT)) {
            return;
        }
        var doors = settings.config().gateway();
        deploy(Role.AGENT, new AgentVerticle(settings.config().agent(), shell, client));
        deployLive(
                "the door of the VMs' metrics",
                new VmMetricsVerticle(doors.vmMetrics(), shell, vmMeters::scrape),
                wanted -> wanted.gateway().vmMetrics());
        deployLive(
                "the dump door",
                new DumpVerticle(doors.dump(), shell),
                wanted -> wanted.gateway().dump());
    }

    /**
     * Takes from now on what changes in live keys.
     *
     * @param reader reads all sources of config; called off the event loop
     */
    void watch(Supplier<Settings> reader) {
        var watch = new ConfigWatch(vertx, reader, settings, this::take, meters);
        watch.start(WATCH_EVERY);
        stops.push(new Stop("the watch on the config", atMost -> watch.stop()));
    }

    /** Where the console listens; empty for a process without one. */
    Optional<Integer> consolePort() {
        return Optional.ofNullable(console).map(ConsoleVerticle::port);
    }

    /** Takes what differs in live keys; what is in force stays where somebody refuses. */
    private Future<Void> take(SluiceConfig wanted) {
        return live.take(wanted, inForce.config()).onSuccess(taken -> inForce.is(wanted));
    }

    private void deploy(Role role, Deployable verticle) throws StartException {
        deploy(named(role), verticle);
    }

    private <C, V extends Deployable & Reloadable<C>> void deployLive(
            Role role, V verticle, Function<SluiceConfig, C> section) throws StartException {
        deployLive(named(role), verticle, section);
    }

    /** It takes its section of a new config while it runs. */
    private <C, V extends Deployable & Reloadable<C>> void deployLive(
            String what, V verticle, Function<SluiceConfig, C> section) throws StartException {
        deploy(what, verticle);
        live.add(wanted -> verticle.reload(section.apply(wanted)));
    }

    private static String named(Role role) {
        return "the role " + role.key();
    }

    private void deploy(String what, Deployable verticle) throws StartException {
        var id = Waiting.on(vertx.deployVerticle(verticle), START_MAX, what + " did not start");
        stops.push(new Stop(what, atMost -> Waiting.on(vertx.undeploy(id), atMost, what + " did not stop")));
    }
}
