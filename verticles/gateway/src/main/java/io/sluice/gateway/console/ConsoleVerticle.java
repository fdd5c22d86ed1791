package io.sluice.gateway.console;

import io.micrometer.core.instrument.Gauge;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.gateway.ConsoleListenerConfig;
import io.sluice.gateway.DumpHandler;
import io.sluice.gateway.ProfileHandler;
import io.sluice.gateway.core.console.ChartHistory;
import io.sluice.gateway.core.console.FleetModel;
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
 * Lets people look in: hears what everybody says, keeps what a person would ask for, and serves it to browsers and to
 * the command line. It decides nothing and asks nobody to do anything.
 */
public final class ConsoleVerticle extends VerticleBase implements Reloadable<ConsoleListenerConfig> {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleVerticle.class);
    private static final String PART = "console";
    private static final SnapshotRequest ALL_NODES = new SnapshotRequest("");
    private static final Duration STREAM_TICK = Duration.ofMillis(250);
    private static final Duration TAP_TICK = Duration.ofMillis(100);
    private static final Duration SNAPSHOT_EVERY = Duration.ofSeconds(30);
    private static final Duration RESYNC_AGAIN = Duration.ofSeconds(5);

    private final ConsoleListenerConfig config;
    private final Shell shell;
    private final ConsoleProcess process;
    private final FleetModel book = new FleetModel();
    private final MemberNames names = new MemberNames();
    private Bus bus;
    private FleetStreams streams;
    private TapRegistry taps;
    private boolean listed;
    private volatile HttpListener door;

    /** A console that is not open yet. */
    public ConsoleVerticle(ConsoleListenerConfig config, Shell shell, ConsoleProcess process) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.process = Objects.requireNonNull(process, "process");
    }

    /** The port of the door; 0 until it is open. Safe from any thread. */
    public int port() {
        return door == null ? 0 : door.port();
    }

    /** Where it is reached from this machine; empty until it is open. Safe from any thread. */
    public String url() {
        return door == null ? "" : door.url();
    }

    @Override
    public Future<?> start() {
        bus = new Bus(vertx);
        streams = new FleetStreams(vertx, shell, book, process);
        taps = new TapRegistry(vertx, shell, bus, names);
        var others = new ConsolePages.Others(
                DumpHandler.ofAll(vertx, shell),
                new ProfileHandler(vertx, shell),
                new ClusterAnswers(vertx, shell, process));
        var pages = new ConsolePages(
                vertx, streams, new DetailAnswers(vertx, bus, shell, book), taps, process.config(), others);
        var doorway = ListenerSpec.of(ConsoleListenerConfig.SECTION, pages::handle)
                .exempting(ConsolePages::isForEverybody)
                .expecting(ListenerSpec.Kind.BROWSERS)
                .named(config.names());
        measure();
        return hear().compose(heard -> HttpListener.open(vertx, shell, config.door(), doorway))
                .onSuccess(this::opened);
    }

    private void opened(HttpListener opened) {
        door = opened;
        vertx.setPeriodic(STREAM_TICK.toMillis(), tick -> streams.tick());
        vertx.setPeriodic(TAP_TICK.toMillis(), tick -> taps.tick());
        vertx.setPeriodic(ChartHistory.FINE_STEP_MS, tick -> book.tick(now()));
        vertx.setPeriodic(0, SNAPSHOT_EVERY.toMillis(), tick -> askForBooks());
        wantFacts();
    }

    @Override
    public Future<Void> reload(ConsoleListenerConfig section) {
        return door.reload(section.door());
    }

    @Override
    public Future<?> stop() {
        streams.close();
        taps.close();
        return Future.succeededFuture();
    }

    private Future<Void> hear() {
        return Future.all(hearOfCluster(), hearOfDecisions()).mapEmpty();
    }

    private Future<Void> hearOfCluster() {
        return Future.all(List.of(
                        bus.subscribe(ClusterAddresses.NODE_GONE, book::heard),
                        bus.subscribe(ClusterAddresses.POD_SEEN, this::heard),
                        bus.subscribe(ClusterAddresses.POD_GONE, end -> names.gone(end.uid())),
                        bus.subscribe(ClusterAddresses.VM_SEEN, vm -> book.heard(vm, now())),
                        bus.subscribe(ClusterAddresses.VM_GONE, end -> book.heard(end, now())),
                        bus.subscribe(ClusterAddresses.MIGRATION_SEEN, book::heard),
                        bus.subscribe(ClusterAddresses.MIGRATION_GONE, book::heard),
                        bus.subscribe(ClusterAddresses.LISTED, listing -> listed = true)))
                .mapEmpty();
    }

    private void heard(PodObserved pod) {
        names.seen(pod);
        book.heard(pod);
    }

    private Future<Void> hearOfDecisions() {
        return Future.all(
                        bus.subscribe(LedgerAddresses.NODE_CHANGED, books -> book.heard(books, now())),
                        bus.subscribe(AgentAddresses.DECISION, decision -> book.heard(decision, now())),
                        bus.subscribe(AgentAddresses.STATUS, status -> book.heard(status, now())),
                        bus.subscribe(LedgerAddresses.VM_STATUS, status -> book.permitted(status, now())),
                        bus.subscribe(PressureAddresses.DECISION, decision -> book.heard(decision, now())))
                .mapEmpty();
    }

    /** What is behind the events: a change that was missed is told by the next answer. */
    private void askForBooks() {
        bus.request(LedgerAddresses.SNAPSHOT, ALL_NODES)
                .onSuccess(all -> book.heard(all, now()))
                .onFailure(failure -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, failure.toString())
                        .log("The books could not be had; they are asked for again."));
    }

    /** Asks for every fact until a listing has been heard of: whoever publishes them may start later than this. */
    private void wantFacts() {
        bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest(PART));
        vertx.setPeriodic(RESYNC_AGAIN.toMillis(), timer -> {
            if (listed) {
                vertx.cancelTimer(timer);
            } else {
                bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest(PART));
            }
        });
    }

    private void measure() {
        gauge("sluice.gateway.console.streams", "Open live views of the fleet.", () -> streams.size());
        gauge("sluice.gateway.console.taps", "People who listen to the bus.", () -> taps.size());
        gauge("sluice.gateway.console.vms", "VMs that the console knows.", book::vmCount);
        gauge("sluice.gateway.console.nodes", "Nodes that the console knows.", book::nodeCount);
        gauge("sluice.gateway.console.reasons", "Reasons that are kept for the question why.", book::reasonCount);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(shell.meters());
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
