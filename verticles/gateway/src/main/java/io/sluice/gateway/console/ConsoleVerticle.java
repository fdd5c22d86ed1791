package io.sluice.gateway.console;

import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.gateway.core.console.FleetModel;
import io.sluice.gateway.core.console.fleet.ChartHistory;
import io.sluice.gateway.dump.DumpHandler;
import io.sluice.gateway.dump.ProfileHandler;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.gateway.listener.HttpListener;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the console: it consumes the events of all processes, keeps what a user may request, and serves it to browsers
 * and the command line. It decides nothing and changes nothing.
 */
public final class ConsoleVerticle extends VerticleBase implements Reloadable<ConsoleListenerConfig> {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleVerticle.class);
    private static final String PART = "console";
    private static final SnapshotRequest ALL_NODES = new SnapshotRequest("");
    private static final Duration STREAM_TICK = Duration.ofMillis(250);
    private static final Duration TAP_TICK = Duration.ofMillis(100);
    private static final Duration SNAPSHOT_EVERY = Duration.ofSeconds(30);
    private static final Duration RELIST_AGAIN = Duration.ofSeconds(5);

    private final ConsoleListenerConfig config;
    private final Shell shell;
    private final ConsoleProcess process;
    private final FleetModel fleet = new FleetModel();
    private final MemberNames names = new MemberNames();
    private Bus bus;
    private FleetStreams streams;
    private TapRegistry taps;
    private GangAnswers gangs;
    private boolean listed;
    private volatile HttpListener listener;

    /** Creates a console that opens at its start. */
    public ConsoleVerticle(ConsoleListenerConfig config, Shell shell, ConsoleProcess process) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.process = Objects.requireNonNull(process, "process");
    }

    /** Returns the port of the listener; 0 until it is open. Safe from any thread. */
    public int port() {
        return listener == null ? 0 : listener.port();
    }

    /** Returns its URL on this machine; empty until it is open. Safe from any thread. */
    public String url() {
        return listener == null ? "" : listener.url();
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        streams = new FleetStreams(vertx, shell, fleet, process);
        taps = new TapRegistry(vertx, shell, bus, names);
        gangs = new GangAnswers(shell.clock());
        var others = new ConsolePages.Others(
                DumpHandler.ofAll(vertx, shell),
                new ProfileHandler(vertx, shell),
                new ClusterAnswers(vertx, shell, process),
                gangs);
        var pages = new ConsolePages(
                vertx, streams, new DetailAnswers(vertx, bus, shell, fleet, process), taps, process.config(), others);
        var spec = ListenerSpec.of(ConsoleListenerConfig.SECTION, pages::addTo)
                .exempting(ConsolePages::isPublic)
                .expecting(ListenerSpec.Kind.BROWSERS)
                .named(config.names());
        measure();
        return subscribe()
                .compose(received -> HttpListener.open(vertx, shell, config.listener(), spec))
                .onSuccess(this::opened);
    }

    private void opened(HttpListener opened) {
        listener = opened;
        vertx.setPeriodic(STREAM_TICK.toMillis(), tick -> streams.tick());
        vertx.setPeriodic(TAP_TICK.toMillis(), tick -> taps.tick());
        vertx.setPeriodic(ChartHistory.FINE_STEP_MS, tick -> fleet.tick(now()));
        vertx.setPeriodic(0, SNAPSHOT_EVERY.toMillis(), tick -> requestLedger());
        requestRelist();
    }

    @Override
    public Future<Void> reload(ConsoleListenerConfig section) {
        return listener.reload(section.listener());
    }

    @Override
    public Future<?> stop() {
        streams.close();
        taps.close();
        return Future.succeededFuture();
    }

    private Future<Void> subscribe() {
        return Future.all(subscribeToCluster(), subscribeToDecisions()).mapEmpty();
    }

    private Future<Void> subscribeToCluster() {
        return Future.all(List.of(
                        bus.subscribe(ClusterAddresses.NODE_GONE, fleet::received),
                        bus.subscribe(ClusterAddresses.POD_OBSERVED, this::received),
                        bus.subscribe(ClusterAddresses.POD_GONE, end -> names.gone(end.uid())),
                        bus.subscribe(ClusterAddresses.VM_OBSERVED, vm -> fleet.received(vm, now())),
                        bus.subscribe(ClusterAddresses.VM_GONE, end -> fleet.received(end, now())),
                        bus.subscribe(ClusterAddresses.MIGRATION_OBSERVED, fleet::received),
                        bus.subscribe(ClusterAddresses.MIGRATION_GONE, fleet::received),
                        bus.subscribe(ClusterAddresses.LISTED, fullList -> listed = true)))
                .mapEmpty();
    }

    private void received(PodObserved pod) {
        names.observed(pod);
        fleet.received(pod);
    }

    private Future<Void> subscribeToDecisions() {
        return Future.all(List.of(
                        bus.subscribe(LedgerAddresses.NODE_CHANGED, ledger -> fleet.received(ledger, now())),
                        bus.subscribe(AgentAddresses.DECISION, decision -> fleet.received(decision, now())),
                        bus.subscribe(AgentAddresses.STATUS, status -> fleet.received(status, now())),
                        bus.subscribe(LedgerAddresses.VM_STATUS, status -> fleet.permitted(status, now())),
                        bus.subscribe(PressureAddresses.DECISION, decision -> fleet.received(decision, now())),
                        bus.subscribe(PlacementAddresses.GANG, gangs::received),
                        bus.subscribe(PlacementAddresses.DECISION, decision -> fleet.received(decision, now()))))
                .mapEmpty();
    }

    /** Requests what events may have missed: the next snapshot corrects a missed change. */
    private void requestLedger() {
        bus.request(LedgerAddresses.SNAPSHOT, ALL_NODES)
                .onSuccess(all -> fleet.received(all, now()))
                .onFailure(failure -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, failure.toString())
                        .log("The ledger sent no snapshot; it is requested again."));
    }

    /** Requests a relist until a full list has arrived: its publisher may start later than this verticle. */
    private void requestRelist() {
        bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
        vertx.setPeriodic(RELIST_AGAIN.toMillis(), timer -> {
            if (listed) {
                vertx.cancelTimer(timer);
            } else {
                bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
            }
        });
    }

    private void measure() {
        gauge("sluice.gateway.console.streams", "Open live views of the fleet.", () -> streams.size());
        gauge("sluice.gateway.console.taps", "Open taps of this process.", () -> taps.size());
        gauge("sluice.gateway.console.vms", "VMs in the console.", fleet::vmCount);
        gauge("sluice.gateway.console.nodes", "Nodes in the console.", fleet::nodeCount);
        gauge("sluice.gateway.console.reasons", "Decisions kept for explanations.", fleet::reasonCount);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(shell.meters());
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
