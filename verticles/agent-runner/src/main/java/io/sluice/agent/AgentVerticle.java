package io.sluice.agent;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.agent.core.VmOwnership;
import io.sluice.agent.core.VmStatusTracker;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.journal.StepPublisher;
import io.sluice.agent.metrics.AgentMetrics;
import io.sluice.agent.scheduler.HttpSchedulerClient;
import io.sluice.agent.scheduler.SchedulerClient;
import io.sluice.agent.scheduler.SchedulerClients;
import io.sluice.agent.scrape.HttpScraper;
import io.sluice.agent.scrape.ScrapeMetrics;
import io.sluice.agent.scrape.VmScraper;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.bus.PodAddresses;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.Assignment;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.LogKeys;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.shell.Peers;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumes observations of VMs and keeps a runner for each VM that is to be scaled. It has no rules of its own. */
public final class AgentVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(AgentVerticle.class);
    private static final String PART = "agent";
    private static final int REMEMBERED_MAX = 10_000;
    private static final Duration CENSUS_EVERY = Duration.ofSeconds(1);

    private final AgentConfig config;
    private final Shell shell;
    private final UnaryOperator<RunnerPorts> around;
    private final Optional<KubernetesClient> client;
    private final RunnerHosts hosts = new RunnerHosts();
    private final Map<VmId, Boolean> deleted = BoundedMap.ofNewest(REMEMBERED_MAX);
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private volatile Map<Waiting, String> troubles = Map.of();
    private final ObservedVms received = new ObservedVms();
    private final AtomicBoolean peersChanged = new AtomicBoolean();
    private final VmOwnership ownership;
    private Optional<Peers.Watching> watching = Optional.empty();
    private Optional<HttpScraper> scraper = Optional.empty();
    private Optional<SchedulerClient> ledger = Optional.empty();
    private boolean full;
    private Bus bus;
    private HostContext hostContext;
    private DriverRequests drivers;
    private DriverRequests podDrivers;
    private UnhealthyRunners unhealthy;

    /** An agent for all VMs that it observes. */
    public AgentVerticle(AgentConfig config, Shell shell) {
        this(config, shell, Optional.empty(), UnaryOperator.identity());
    }

    /** An agent that finds schedulers in Kubernetes if its config requires that. The caller closes the client. */
    public AgentVerticle(AgentConfig config, Shell shell, Optional<KubernetesClient> client) {
        this(config, shell, client, UnaryOperator.identity());
    }

    /** {@code around} may wrap the runners' ports. */
    AgentVerticle(AgentConfig config, Shell shell, UnaryOperator<RunnerPorts> around) {
        this(config, shell, Optional.empty(), around);
    }

    private AgentVerticle(
            AgentConfig config, Shell shell, Optional<KubernetesClient> client, UnaryOperator<RunnerPorts> around) {
        this.config = config;
        this.shell = shell;
        this.client = client;
        this.around = around;
        this.ownership = switch (config.assignment()) {
            case PROCESSES -> new VmOwnership.OfProcess(new Assignment(shell.peers(), PART));
            case NODE -> new VmOwnership.OfNode(config.node());
        };
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        var http = new HttpScraper(vertx, config.scrapeLimits());
        scraper = Optional.of(http);
        var probes =
                new VmScraper(http, config.metricNames(), config.scrapeTimeout(), new ScrapeMetrics(shell.meters()));
        var terms = new HttpSchedulerClient.Terms(config.computeUnit(), config.permitValidFor(), config.maxVms());
        var line = SchedulerClients.of(config.scheduler(), vertx, shell, terms, client);
        ledger = Optional.of(line);
        var dispatchers = new MonitorAssignment(shell.peers());
        drivers = new DriverRequests(vertx, shell.peers(), "vm");
        podDrivers = new DriverRequests(vertx, shell.peers(), "pods");
        var ports = around.apply(new PodRunnerPorts(
                bus, podDrivers, config.maxVms(), new BusRunnerPorts(bus, line, probes, dispatchers, drivers)));
        var factory = new RunnerFactory(config.runner(), shell.random());
        var statuses = new StatusPublisher(new VmStatusTracker(shell.random()), shell.clock(), ports::publish);
        unhealthy = new UnhealthyRunners(shell.meters());
        var metrics = new AgentMetrics(shell, config.scalingEvents().cuMultiplier());
        hostContext = new HostContext(
                vertx,
                shell,
                factory,
                ports,
                dispatchers,
                metrics,
                statuses,
                new DecisionLog(),
                new StepPublisher(bus),
                bus.tracer());
        vertx.setPeriodic(VmStatusTracker.PACE.toMillis(), timer -> statuses.tick());
        vertx.setPeriodic(CENSUS_EVERY.toMillis(), timer -> tick());
        shell.readiness().reports(PART, "guests", () -> unhealthy.trouble());
        for (var waiting : Waiting.values()) {
            shell.readiness().reports(PART, waiting.name(), () -> Optional.ofNullable(troubles.get(waiting)));
        }
        shell.dumps().offer(PART, new AgentDump(context, hosts));
        watching = Optional.of(shell.peers().watch(this::onPeersChanged));
        return line.start()
                .compose(ready -> subscribe())
                .onSuccess(received -> bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest("agent")));
    }

    private Future<?> subscribe() {
        return Future.all(
                bus.subscribe(ClusterAddresses.VM_OBSERVED, this::observe),
                bus.subscribe(ClusterAddresses.VM_GONE, this::gone),
                bus.subscribe(ClusterAddresses.LISTED, this::listed),
                bus.subscribe(
                        MonitorAddresses.STATE, state -> publish(state.vm(), new RunnerEvent.MonitorChanged(state))),
                bus.subscribe(
                        PodAddresses.SAMPLED, sampled -> publish(sampled.vm(), new RunnerEvent.SampleAvailable())),
                bus.subscribe(
                        MonitorAddresses.MEMORY_WANTED,
                        upscaleRequest ->
                                publish(upscaleRequest.vm(), new RunnerEvent.UpscaleRequested(upscaleRequest))));
    }

    /**
     * Sends nothing to ledger or monitors: the next runner's session replaces the old one, and a monitor session ends
     * when no process requests it any more.
     */
    @Override
    public Future<?> stop() {
        watching.ifPresent(Peers.Watching::close);
        troubles = Map.of();
        shell.dumps().withdraw(PART);
        hosts.all().forEach(RunnerHost::abandon);
        hosts.clear();
        hostContext.statuses().close();
        hostContext.decisions().close();
        hostContext.metrics().close();
        return Future.join(
                scraper.map(HttpScraper::close).orElseGet(Future::succeededFuture),
                ledger.map(SchedulerClient::close).orElseGet(Future::succeededFuture));
    }

    private void tick() {
        hostContext.decisions().tick(shell.clock().instant());
        count();
    }

    private void count() {
        var statuses = hostContext.statuses();
        troubles = statuses.troubles();
        long held = hosts.all().stream().filter(RunnerHost::holds).count();
        int elsewhere = (int) Math.max(0, received.size() - held);
        unhealthy.look(hosts.all(), shell.clock().instant());
        hostContext
                .metrics()
                .counted(elsewhere, counted -> statuses.census(counted, unhealthy::has), statuses.waiting());
    }

    private void observe(VmObserved vm) {
        if (deleted.containsKey(vm.vm())) {
            return;
        }
        roll.named(vm.vm());
        if (received.take(vm)) {
            place(vm);
        }
    }

    /** Stores also a VM of another process, as this process may be assigned it later. */
    private void place(VmObserved vm) {
        var host = hosts.find(vm.vm());
        if (ownership.holds(vm, host.filter(RunnerHost::holds).isPresent())) {
            serve(vm);
        } else {
            host.ifPresent(RunnerHost::handOver);
        }
    }

    private void serve(VmObserved vm) {
        if (hosts.size() >= config.maxVms() && hosts.find(vm.vm()).isEmpty()) {
            refuse(vm);
            return;
        }
        ledger.ifPresent(line -> line.observed(vm));
        hosts.findOrMake(vm.vm(), id -> new RunnerHost(hostContext, vm, this::left))
                .observed(vm);
    }

    private void left(RunnerHost host) {
        if (hosts.find(host.vm()).filter(host::equals).isPresent()) {
            hosts.remove(host.vm());
        }
    }

    /** May be called on any thread. Changes that follow each other closely are handled at once. */
    private void onPeersChanged() {
        if (!peersChanged.getAndSet(true)) {
            context.runOnContext(turn -> {
                peersChanged.set(false);
                drivers.peersChanged();
                podDrivers.peersChanged();
                received.all().forEach(this::place);
                List.copyOf(hosts.all()).forEach(RunnerHost::peersChanged);
            });
        }
    }

    private void refuse(VmObserved vm) {
        if (!full) {
            full = true;
            LOG.atError()
                    .addKeyValue(LogKeys.VM, vm.vm().label())
                    .addKeyValue(LogKeys.COUNT, config.maxVms())
                    .log("There are more VMs than agent.maxVms: the rest are not scaled.");
        }
    }

    private void gone(VmGone vm) {
        deleted.put(vm.vm(), true);
        roll.struck(vm.vm());
        drop(vm.vm());
    }

    /** Finds VMs that are gone although the message of their end was lost. */
    private void listed(FullListPublished fullList) {
        roll.listed().forEach(this::drop);
    }

    private void drop(VmId vm) {
        received.remove(vm);
        hosts.remove(vm).ifPresent(RunnerHost::gone);
    }

    private void publish(VmId vm, RunnerEvent event) {
        hosts.find(vm).ifPresent(host -> host.send(event));
    }
}
