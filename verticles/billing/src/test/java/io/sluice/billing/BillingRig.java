package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.OutboxLog;
import io.sluice.billing.outbox.OutboxSettings;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Peers;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One billing process on its own bus, with publishers of observations and of ledger snapshots. */
final class BillingRig implements AutoCloseable {
    private static final long GIB = 1L << 30;
    private static final long REPORT_EVERY_MS = 100;

    final Vertx vertx = Vertx.vertx();
    final Bus bus = new Bus(vertx);
    final SimpleMeterRegistry meters;
    final MapReplica replica = new MapReplica();
    final Shell shell;
    final Path directory;
    private final Map<VmId, VmObserved> vms = new ConcurrentHashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final AtomicInteger endsToReport = new AtomicInteger();
    private final AtomicInteger requested = new AtomicInteger();
    private volatile boolean watching = true;
    private volatile List<String> watched = List.of("neonvm", "pod");
    private volatile Duration ledgerTakes = Duration.ZERO;
    private final List<Throwable> unhandled = new CopyOnWriteArrayList<>();
    private Optional<String> deployed = Optional.empty();

    /** @param directory the directory of the outbox and the files */
    BillingRig(Path directory) {
        this(directory, Peers.ALONE);
    }

    /** @param peers the processes that share the VMs */
    BillingRig(Path directory, Peers peers) {
        this(directory, peers, new SimpleMeterRegistry());
    }

    /** @param meters the registry of its metrics */
    BillingRig(Path directory, Peers peers, SimpleMeterRegistry meters) {
        this.directory = directory;
        this.meters = meters;
        this.shell = shell(meters, peers, replica);
        keys.putAll(Map.of(
                "sluice.collectEvery", "100ms",
                "sluice.accumulateEvery", "1s",
                "sluice.auditEvery", "100ms",
                "sluice.directory", directory.resolve("outbox").toString(),
                "sluice.file.directory", directory.resolve("bills").toString(),
                "sluice.file.pushEvery", "100ms"));
        vertx.exceptionHandler(unhandled::add);
        vertx.setPeriodic(REPORT_EVERY_MS, timer -> {
            if (watching) {
                watched.forEach(driver -> bus.publish(ClusterAddresses.VMS_WATCHED, new VmsWatched(driver, 1)));
            }
        });
        done(bus.subscribe(ClusterAddresses.RELIST_WANTED, request -> lists()));
        done(bus.serve(LedgerAddresses.SNAPSHOT, request -> answer()));
    }

    private static Shell shell(SimpleMeterRegistry meters, Peers peers, MapReplica replica) {
        return new Shell(
                new MonotonicClock(),
                meters,
                new SimpleMeterRegistry(),
                new Readiness(),
                new Dumps(),
                new Random(1),
                peers,
                replica);
    }

    /** Starts another process on the same bus, with its own outbox and files. */
    BillingRig startBeside(Path other, SimpleMeterRegistry registry, Peers peers) {
        with("directory", other.resolve("outbox").toString());
        with("file.directory", other.resolve("bills").toString());
        done(vertx.deployVerticle(new BillingVerticle(config(), shell(registry, peers, replica))));
        return this;
    }

    BillingRig with(String key, String value) {
        keys.put("sluice." + key, value);
        return this;
    }

    BillingConfig config() {
        return ConfigReader.read(
                BillingConfig.class,
                BillingConfig.DEFAULTS,
                new ConfigSources(JsonNodeFactory.instance.objectNode(), Map.of(), keys));
    }

    BillingRig start() {
        deployed = Optional.of(done(vertx.deployVerticle(new BillingVerticle(config(), shell))));
        return this;
    }

    void stop() {
        deployed.ifPresent(id -> done(vertx.undeploy(id)));
        deployed = Optional.empty();
    }

    /** The gauges that exist now. */
    Set<String> gauges() {
        return meters.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getType() == Meter.Type.GAUGE)
                .map(Meter.Id::toString)
                .collect(Collectors.toSet());
    }

    /** The outbox that the process left; only while it does not run. */
    Outbox outbox() throws IOException {
        return Outbox.open(
                directory.resolve("outbox"),
                new OutboxSettings(List.of(), shell.clock(), shell.random()),
                new OutboxLog(new SimpleMeterRegistry(), shell.clock()));
    }

    /** The watches on the VMs of other drivers are broken from now on. */
    void watched(String... drivers) {
        watched = List.of(drivers);
    }

    void watching(boolean watches) {
        watching = watches;
    }

    VmId vm(String name, long version, String endpoint, long milliCpu) {
        var id = new VmId("neonvm", "default", name, "uid-" + name);
        var size = new Resources(milliCpu, GIB);
        var observation = new VmObserved(
                id,
                version,
                "pod-" + name,
                name + "-0",
                "node-a",
                VmPhase.RUNNING,
                true,
                true,
                false,
                new VmSizes(new Resources(250, GIB), new Resources(16_000, 64 * GIB), size, Optional.of(size), GIB),
                Overcommit.OFF,
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                VmTraits.NONE.billed(Optional.of(endpoint), 0));
        vms.put(id, observation);
        if (watching) {
            bus.publish(ClusterAddresses.VM_OBSERVED, observation);
        }
        return id;
    }

    /** Removes the VM without publishing its end. */
    void loses(String name) {
        vms.keySet().removeIf(vm -> vm.name().equals(name));
    }

    /** Publishes only the end of the next full lists, as a late subscriber receives them. */
    void sendsFullListEndsAlone(int fullLists) {
        endsToReport.set(fullLists);
    }

    void ledgerTakes(Duration time) {
        ledgerTakes = time;
    }

    /** How often a ledger snapshot was requested. */
    int requested() {
        return requested.get();
    }

    void lists() {
        if (endsToReport.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            vms.values().forEach(vm -> bus.publish(ClusterAddresses.VM_OBSERVED, vm));
        }
        bus.publish(ClusterAddresses.LISTED, new FullListPublished(1, vms.size(), (int)
                vms.keySet().stream().filter(vm -> vm.driver().equals("neonvm")).count()));
    }

    private Future<Snapshot> answer() {
        requested.incrementAndGet();
        var snapshot = ledger();
        var answer = Promise.<Snapshot>promise();
        vertx.setTimer(1 + ledgerTakes.toMillis(), timer -> answer.complete(snapshot));
        return answer.future();
    }

    private Snapshot ledger() {
        var reservations = vms.values().stream()
                .map(vm -> new ReservationView(
                        vm.pod(),
                        "default",
                        vm.podName(),
                        vm.vm().name(),
                        vm.sizes().spec(),
                        vm.sizes().spec(),
                        Resources.NONE,
                        Resources.NONE,
                        vm.sizes().max(),
                        false,
                        AgentContact.REQUESTED,
                        1,
                        1,
                        ReservationTraits.NONE))
                .toList();
        var none = Resources.NONE;
        return new Snapshot(List.of(new NodeLedgerView(
                "node-a", true, none, none, none, none, none, none, none, none, none, false, 0, reservations)));
    }

    /** Returns all lines of the files with that first part of the name, in order. */
    List<String> lines(String kind) {
        return lines(directory, kind);
    }

    /** Returns the same of another process. */
    static List<String> lines(Path directory, String kind) {
        var files = directory.resolve("bills");
        if (!Files.isDirectory(files)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(files)) {
            var sorted = new TreeMap<String, Path>();
            all.filter(file -> file.getFileName().toString().startsWith(kind))
                    .forEach(file -> sorted.put(file.getFileName().toString(), file));
            return sorted.values().stream().flatMap(BillingRig::read).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<String> read(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        stop();
        done(vertx.close());
        assertThat(unhandled).isEmpty();
    }
}
