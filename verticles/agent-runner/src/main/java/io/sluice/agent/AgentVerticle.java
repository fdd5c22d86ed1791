package io.sluice.agent;

import io.sluice.agent.core.RollCall;
import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.cluster.Listed;
import io.sluice.messages.cluster.ResyncWanted;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears of VMs and keeps a runner for each that is to be scaled. Holds no rule of its own. */
public final class AgentVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(AgentVerticle.class);
    private static final int REMEMBERED_MAX = 10_000;

    private final AgentConfig config;
    private final Shell shell;
    private final UnaryOperator<Ports> around;
    private final Map<VmId, RunnerHost> hosts = new HashMap<>();
    private final Map<VmId, Boolean> deleted = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<VmId, Boolean> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };
    private final RollCall<VmId> roll = new RollCall<>();
    private Optional<HttpScraper> scraper = Optional.empty();
    private boolean full;
    private Bus bus;
    private Ports ports;
    private RunnerFactory factory;
    private RunnerMeters meters;

    /** An agent for all VMs that it hears of. */
    public AgentVerticle(AgentConfig config, Shell shell) {
        this(config, shell, UnaryOperator.identity());
    }

    /** {@code around} may stand between the runners and the world. */
    AgentVerticle(AgentConfig config, Shell shell, UnaryOperator<Ports> around) {
        this.config = config;
        this.shell = shell;
        this.around = around;
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        var http = new HttpScraper(vertx, config);
        scraper = Optional.of(http);
        ports = around.apply(new BusPorts(bus, http));
        factory = new RunnerFactory(config.runner(), shell.random());
        meters = new RunnerMeters(shell.meters());
        return Future.all(
                        bus.subscribe(ClusterAddresses.VM_SEEN, this::seen),
                        bus.subscribe(ClusterAddresses.VM_GONE, this::gone),
                        bus.subscribe(ClusterAddresses.LISTED, this::listed),
                        bus.subscribe(
                                MonitorAddresses.STATE,
                                state -> tell(state.vm(), new RunnerEvent.MonitorChanged(state))),
                        bus.subscribe(
                                MonitorAddresses.MEMORY_WANTED,
                                cry -> tell(cry.vm(), new RunnerEvent.MemoryCried(cry))))
                .onSuccess(heard -> bus.publish(ClusterAddresses.RESYNC_WANTED, new ResyncWanted("agent")));
    }

    /** The runners leave no word: their sessions end with the next runner's, and the monitors' when nobody asks. */
    @Override
    public Future<?> stop() {
        hosts.values().forEach(RunnerHost::abandon);
        hosts.clear();
        return scraper.map(HttpScraper::close).orElseGet(Future::succeededFuture);
    }

    private void seen(VmSeen vm) {
        if (deleted.containsKey(vm.vm())) {
            return;
        }
        if (hosts.size() >= config.maxVms() && !hosts.containsKey(vm.vm())) {
            refuse(vm);
            return;
        }
        roll.named(vm.vm());
        hosts.computeIfAbsent(vm.vm(), id -> new RunnerHost(vertx, shell, factory, ports, meters, vm))
                .seen(vm);
    }

    private void refuse(VmSeen vm) {
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
    private void listed(Listed listing) {
        roll.listed().forEach(this::drop);
    }

    private void drop(VmId vm) {
        Optional.ofNullable(hosts.remove(vm)).ifPresent(RunnerHost::gone);
    }

    private void tell(VmId vm, RunnerEvent event) {
        Optional.ofNullable(hosts.get(vm)).ifPresent(host -> host.tell(event));
    }
}
