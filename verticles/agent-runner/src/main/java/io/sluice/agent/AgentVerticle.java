package io.sluice.agent;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.agent.core.VmOwnership;
import io.sluice.agent.core.VmStatusTracker;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.agent.scheduler.HttpSchedulerClient;
import io.sluice.agent.scheduler.SchedulerClient;
import io.sluice.agent.scheduler.SchedulerClients;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.shell.Assignment;
import io.sluice.shell.LogKeys;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.shell.Peers;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears of VMs and keeps a runner for each that is to be scaled. Holds no rule of its own. */
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
    private final Map<VmId, Boolean> deleted = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<VmId, Boolean> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private final ObservedVms heard = new ObservedVms();
    private final AtomicBoolean peersChanged = new AtomicBoolean();
    private final VmOwnership territory;
    private Optional<Peers.Watching> watching = Optional.empty();
    private Optional<HttpScraper> scraper = Optional.empty();
    private Optional<SchedulerClient> ledger = Optional.empty();
    private boolean full;
    private Bus bus;
    private HostContext shared;
    private DriverRequests drivers;

    /** An agent for all VMs that it hears of. */
    public AgentVerticle(AgentConfig config, Shell shell) {
        this(config, shell, Optional.empty(), UnaryOperator.identity());
    }

    /**
     * The same, and one that looks for schedulers in Kubernetes if it is told to; the client is its owner's to close.
     */
    public AgentVerticle(AgentConfig config, Shell shell, Optional<KubernetesClient> client) {
        this(config, shell, client, UnaryOperator.identity());
    }

    /** {@code around} may stand between the runners and the world. */
    AgentVerticle(AgentConfig config, Shell shell, UnaryOperator<RunnerPorts> around) {
        this(config, shell, Optional.empty(), around);
    }

    private AgentVerticle(
            AgentConfig config, Shell shell, Optional<KubernetesClient> client, UnaryOperator<RunnerPorts> around) {
        this.config = config;
        this.shell = shell;
        this.client = client;
        this.around = around;
        this.territory = switch (config.share()) {
            case MEMBERS -> new VmOwnership.OfProcess(new Assignment(shell.peers(), PART));
            case NODE -> new VmOwnership.OfNode(config.node());
        };
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        var http = new HttpScraper(vertx, config);
        scraper = Optional.of(http);
        var probes =
                new VmScraper(http, config.metricNames(), config.scrapeTimeout(), new ScrapeMetrics(shell.meters()));
        var terms = new HttpSchedulerClient.Terms(config.computeUnit(), config.permitValidFor(), config.maxVms());
        var line = SchedulerClients.of(config.scheduler(), vertx, shell, terms, client);
        ledger = Optional.of(line);
        var dispatchers = new MonitorAssignment(shell.peers());
        drivers = new DriverRequests(vertx, shell.peers());
        var ports = around.apply(new BusRunnerPorts(bus, line, probes, dispatchers, drivers));
        var factory = new RunnerFactory(config.runner(), shell.random());
        var statuses = new StatusPublisher(new VmStatusTracker(shell.random()), shell.clock(), ports::publish);
        var meters = AgentMetrics.in(shell, config.scalingEvents().cuMultiplier());
        shared = new HostContext(vertx, shell, factory, ports, dispatchers, meters, statuses);
        vertx.setPeriodic(VmStatusTracker.PACE.toMillis(), timer -> statuses.tick());
        vertx.setPeriodic(CENSUS_EVERY.toMillis(), timer -> count());
        shell.dumps().offer(PART, new AgentDump(context, hosts));
        watching = Optional.of(shell.peers().watch(this::onPeersChanged));
        return line.start()
                .compose(ready -> hear())
                .onSuccess(heard -> bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest("agent")));
    }

    private Future<?> hear() {
        return Future.all(
                bus.subscribe(ClusterAddresses.VM_SEEN, this::seen),
                bus.subscribe(ClusterAddresses.VM_GONE, this::gone),
                bus.subscribe(ClusterAddresses.LISTED, this::listed),
                bus.subscribe(MonitorAddresses.STATE, state -> tell(state.vm(), new RunnerEvent.MonitorChanged(state))),
                bus.subscribe(
                        MonitorAddresses.MEMORY_WANTED, cry -> tell(cry.vm(), new RunnerEvent.UpscaleRequested(cry))));
    }

    /** The runners leave no word: their sessions end with the next runner's, and the monitors' when nobody asks. */
    @Override
    public Future<?> stop() {
        watching.ifPresent(Peers.Watching::close);
        shell.dumps().withdraw(PART);
        hosts.all().forEach(RunnerHost::abandon);
        hosts.clear();
        shared.statuses().close();
        shared.meters().vms().close();
        return Future.join(
                scraper.map(HttpScraper::close).orElseGet(Future::succeededFuture),
                ledger.map(SchedulerClient::close).orElseGet(Future::succeededFuture));
    }

    private void count() {
        long held = hosts.all().stream().filter(RunnerHost::holds).count();
        shared.meters().runners().elsewhere((int) Math.max(0, heard.size() - held));
        var vms = shared.meters().vms();
        var statuses = shared.statuses();
        shared.meters().lives().counted(statuses.census(vms::isEndpoint), statuses.census(vm -> !vms.isEndpoint(vm)));
    }

    private void seen(VmObserved vm) {
        if (deleted.containsKey(vm.vm())) {
            return;
        }
        roll.named(vm.vm());
        if (heard.take(vm)) {
            place(vm);
        }
    }

    /** A VM that is another's is remembered, as it may come to be this one's. */
    private void place(VmObserved vm) {
        var host = hosts.find(vm.vm());
        if (territory.holds(vm, host.filter(RunnerHost::holds).isPresent())) {
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
        ledger.ifPresent(line -> line.seen(vm));
        hosts.findOrMake(vm.vm(), id -> new RunnerHost(shared, vm, this::left)).seen(vm);
    }

    private void left(RunnerHost host) {
        if (hosts.find(host.vm()).filter(host::equals).isPresent()) {
            hosts.remove(host.vm());
        }
    }

    /** On any thread. Changes that come close together are looked at together. */
    private void onPeersChanged() {
        if (!peersChanged.getAndSet(true)) {
            context.runOnContext(turn -> {
                peersChanged.set(false);
                drivers.peersChanged();
                heard.all().forEach(this::place);
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
                    .log("There are more VMs than agent.maxVms: the rest is not scaled.");
        }
    }

    private void gone(VmGone vm) {
        deleted.put(vm.vm(), true);
        roll.struck(vm.vm());
        drop(vm.vm());
    }

    /** Events get lost: a VM whose end nobody told is missed here. */
    private void listed(FullListPublished listing) {
        roll.listed().forEach(this::drop);
    }

    private void drop(VmId vm) {
        heard.remove(vm);
        hosts.remove(vm).ifPresent(RunnerHost::gone);
    }

    private void tell(VmId vm, RunnerEvent event) {
        hosts.find(vm).ifPresent(host -> host.tell(event));
    }
}
