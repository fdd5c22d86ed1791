package io.sluice.kube;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.AgentVerticle;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PressureAddresses;
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.api.RawApi;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabVm;
import io.sluice.lab.load.SeriesLibrary;
import io.sluice.lab.load.core.ScenarioEvent;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.events.VmEventVerticle;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.pressure.PressureVerticle;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * All verticles of one process at the demo's pace; their fleet is in a real Kubernetes cluster, with its controllers.
 */
final class KubeStage implements AutoCloseable {
    static final Duration WAIT = Duration.ofSeconds(120);
    static final Resources UNIT = new Resources(250, 1L << 30);
    static final String VMS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";
    static final String PODS = "/api/v1/namespaces/default/pods";
    static final String MIGRATIONS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations";

    private static final Path DEMO = Path.of("..", "..", "config", "demo.yaml");
    private static final Duration STEP_WITHIN = Duration.ofSeconds(120);
    private static final Duration QUICK = Duration.ofMillis(200);

    /** Factor that leaves almost nothing of the recorded load, so that only the load of the scenario counts. */
    private static final double HARDLY_ANY = 0.01;

    final Shell shell = new Shell(
            new MonotonicClock(),
            new SimpleMeterRegistry(),
            new SimpleMeterRegistry(),
            new Readiness(),
            new Dumps(),
            new Random(1));
    final List<PressureDecision> decisions = new CopyOnWriteArrayList<>();
    final List<VmObserved> vms = new CopyOnWriteArrayList<>();
    private final List<MigrationObserved> migrations = new CopyOnWriteArrayList<>();
    final LabVerticle lab;
    final RawApi raw;
    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final SluiceConfig config;
    private final KubernetesConfig kubernetes;
    private final KubernetesClient client;
    private final Deque<String> deployed = new ArrayDeque<>();
    private final Map<String, RunnerStatus> statuses = new ConcurrentHashMap<>();
    private Optional<String> pressure = Optional.empty();

    /**
     * Prepares the process without starting it.
     *
     * @param changes keys that differ from the demo's config
     */
    KubeStage(KubernetesConfig kubernetes, Map<String, String> changes, LabNode... fleet) {
        this.kubernetes = kubernetes;
        config = ConfigReader.read(
                SluiceConfig.class,
                SluiceConfig.DEFAULTS,
                new ConfigSources(YamlText.read(DEMO), Map.of(), changes).without("lab"));
        client = KubernetesConnection.open(kubernetes, shell.meters());
        raw = new RawApi(client);
        lab = LabVerticle.in(endpoint(kubernetes), labConfig(), shell, List.of(fleet));
    }

    private static LabConfig labConfig() {
        var usual = LabConfig.DEFAULTS;
        return new LabConfig(
                usual.cluster(),
                usual.address(),
                usual.apiPort(),
                usual.day(),
                usual.seed(),
                usual.controllerDelayMin(),
                usual.controllerDelayMax(),
                usual.auditEvery(),
                new LabConfig.MigrationTimes(QUICK, QUICK, QUICK, QUICK));
    }

    private static ApiEndpoint endpoint(KubernetesConfig kubernetes) {
        try {
            var token = Files.readString(Path.of(kubernetes.tokenFile())).strip();
            return new ApiEndpoint(kubernetes.url(), token, kubernetes.caFile());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static LabNode node(String name, int units, LabVm... vms) {
        return new LabNode(name, UNIT.times(units), List.of(vms), Resources.NONE);
    }

    /** A VM of 4 units at first, with bounds from 1 to 16. */
    static LabVm vm(String name, boolean migratable, ScenarioEvent... events) {
        return new LabVm(name, SeriesLibrary.NAMES.getFirst(), Duration.ZERO, HARDLY_ANY, migratable, List.of(events));
    }

    static ScenarioEvent always(double vCpus) {
        return new ScenarioEvent.Surge(Duration.ZERO, Duration.ofDays(1), vCpus);
    }

    KubeStage start() {
        deploy(lab);
        done(bus.subscribe(PressureAddresses.DECISION, decisions::add));
        done(bus.subscribe(
                AgentAddresses.STATUS, status -> statuses.put(status.vm().name(), status)));
        done(bus.subscribe(ClusterAddresses.VM_OBSERVED, vms::add));
        done(bus.subscribe(ClusterAddresses.MIGRATION_OBSERVED, migrations::add));
        deploy(new LedgerVerticle(config.ledger(), shell));
        deploy(new MonitorVerticle(config.monitor(), shell));
        deploy(new VmPatchVerticle(config.vm(), kubernetes, shell, client));
        deploy(new VmEventVerticle(config.vm(), kubernetes, shell, client));
        deploy(new AgentVerticle(config.agent(), shell));
        deploy(new ClusterVerticle(config.cluster(), kubernetes, shell, client));
        startPressure();
        return this;
    }

    void startPressure() {
        pressure = Optional.of(done(vertx.deployVerticle(new PressureVerticle(config.pressure(), shell))));
    }

    void stopPressure() {
        pressure.ifPresent(id -> done(vertx.undeploy(id)));
        pressure = Optional.empty();
    }

    private void deploy(Deployable verticle) {
        deployed.push(done(vertx.deployVerticle(verticle)));
    }

    JsonNode vm(String name) {
        return raw.get(VMS + "/" + name).body();
    }

    /** Waits until the VM's object has that value at the pointer. */
    void awaitVm(String name, String pointer, String value) {
        await().atMost(WAIT)
                .pollInterval(QUICK)
                .until(() -> vm(name).at(pointer).asText(), value::equals);
    }

    /** Waits until a migration of that VM meets a condition. */
    JsonNode awaitMigration(String vm, Predicate<JsonNode> condition) {
        return await().atMost(WAIT)
                .until(
                        () -> raw.get(MIGRATIONS)
                                .body()
                                .path("items")
                                .valueStream()
                                .filter(item -> item.at("/spec/vmName").asText().equals(vm))
                                .filter(condition)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until a migration of that VM was observed in that phase; a migration that has ended is deleted at once. */
    void awaitReceived(String vm, MigrationPhase phase) {
        await().atMost(WAIT)
                .until(() -> migrations.stream()
                        .anyMatch(received -> received.vmName().equals(vm) && received.phase() == phase));
    }

    /** Waits until there is no migration, and the ledger has no mark. */
    void awaitNothingMoves() {
        await().atMost(WAIT)
                .pollInterval(QUICK)
                .until(() -> raw.get(MIGRATIONS).body().path("items").isEmpty()
                        && ledger().stream()
                                .allMatch(node -> node.accountedPressure().equals(Resources.NONE)
                                        && node.migrating().equals(Resources.NONE)
                                        && node.held().equals(Resources.NONE)));
    }

    /** Waits for a decision about a VM. */
    PressureDecision awaitDecision(String vm, PressureDecision.Kind kind) {
        return await().atMost(WAIT)
                .until(
                        () -> decisions.stream()
                                .filter(decision -> decision.kind() == kind)
                                .filter(decision -> decision.vm()
                                        .filter(id -> id.name().equals(vm))
                                        .isPresent())
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until the status of a VM's runner meets a condition. */
    RunnerStatus awaitStatus(String vm, Predicate<RunnerStatus> condition) {
        return await().atMost(WAIT)
                .until(() -> Optional.ofNullable(statuses.get(vm)).filter(condition), Optional::isPresent)
                .orElseThrow();
    }

    List<NodeLedgerView> ledger() {
        return done(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")))
                .nodes();
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(STEP_WITHIN.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        stopPressure();
        deployed.forEach(id -> done(vertx.undeploy(id)));
        done(vertx.close());
        client.close();
    }
}
