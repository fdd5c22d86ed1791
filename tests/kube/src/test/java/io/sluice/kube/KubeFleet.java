package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.AgentVerticle;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.kube.server.ControlPlane;
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.LabWork;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.guest.GuestSnapshot;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.events.VmEventVerticle;
import io.sluice.neonvm.patch.VmConfig;
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
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;

/**
 * A fleet of the lab in a real Kubernetes cluster, with the lab's controllers and auditor, and roles of Sluice in this
 * process, at the demo's pace. When it is closed it removes all of it.
 */
final class KubeFleet implements AutoCloseable {
    /** The time limit of every awaited condition. */
    static final Duration WITHIN = Duration.ofSeconds(120);

    /** All roles that serve VMs, in one process. */
    static final Set<Role> ALL =
            EnumSet.of(Role.LEDGER, Role.PRESSURE, Role.MONITOR, Role.VM, Role.AGENT, Role.CLUSTER, Role.GATEWAY);

    private static final String NAMESPACE = "default";
    private static final Path DEMO = Path.of("..", "..", "config", "demo.yaml");
    private static final Duration STEP_WITHIN = Duration.ofSeconds(60);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final SluiceConfig config;
    private final KubernetesConfig kubernetes;
    private final Shell shell = new Shell(
            new MonotonicClock(),
            new SimpleMeterRegistry(),
            new SimpleMeterRegistry(),
            new Readiness(),
            new Dumps(),
            new Random(1));
    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final Deque<String> deployed = new ArrayDeque<>();
    private final List<Decision> decisions = new CopyOnWriteArrayList<>();
    private final Map<String, RunnerStatus> statuses = new ConcurrentHashMap<>();
    private Optional<String> driver = Optional.empty();
    private final LabVerticle lab;
    private final KubernetesClient client;
    private final KubernetesClient roles;

    /**
     * Creates the fleet, without roles of Sluice.
     *
     * @param cluster access of the lab and the test
     * @param kubernetes access of Sluice
     * @param changes keys that differ from the demo's config
     */
    KubeFleet(KubernetesConfig cluster, KubernetesConfig kubernetes, Map<String, String> changes, LabNode... fleet) {
        this(cluster, config(kubernetes, YamlText.read(DEMO), changes), LabConfig.DEFAULTS, fleet);
    }

    private KubeFleet(KubernetesConfig cluster, SluiceConfig config, LabConfig pace, LabNode... fleet) {
        this.config = config;
        kubernetes = config.kubernetes();
        lab = LabVerticle.in(endpoint(cluster), pace, shell, List.of(fleet));
        client = KubernetesConnection.open(cluster, shell.meters());
        roles = KubernetesConnection.open(config.kubernetes(), shell.meters());
        done(bus.subscribe(AgentAddresses.DECISION, decisions::add));
        done(bus.subscribe(
                AgentAddresses.STATUS, status -> statuses.put(status.vm().name(), status)));
        deploy(lab);
    }

    /** Creates a fleet with all roles, where Sluice has the usual access. */
    static KubeFleet open(ControlPlane plane, Map<String, String> changes, LabNode... fleet) {
        return new KubeFleet(plane.admin(), plane.admin(), changes, fleet).open(ALL);
    }

    private static SluiceConfig config(KubernetesConfig kubernetes, ObjectNode file, Map<String, String> changes) {
        var keys = new HashMap<>(changes);
        keys.put("sluice.kubernetes.url", kubernetes.url());
        keys.put("sluice.kubernetes.tokenFile", kubernetes.tokenFile());
        keys.put("sluice.kubernetes.caFile", kubernetes.caFile());
        keys.putIfAbsent("sluice.gateway.agent.port", "0");
        return ConfigReader.read(
                SluiceConfig.class, SluiceConfig.DEFAULTS, new ConfigSources(file, Map.of(), keys).without("lab"));
    }

    /** Creates a fleet of many VMs with all roles, with the default intervals. */
    static KubeFleet everyday(ControlPlane plane, Map<String, String> changes, LabNode... fleet) {
        var nothing = JsonNodeFactory.instance.objectNode();
        return new KubeFleet(plane.admin(), config(plane.admin(), nothing, changes), seldomAudited(), fleet).open(ALL);
    }

    /** An audit reads every VM twice, so it runs rarely. */
    private static LabConfig seldomAudited() {
        var usual = LabConfig.DEFAULTS;
        return new LabConfig(
                usual.cluster(),
                usual.address(),
                usual.apiPort(),
                usual.day(),
                usual.seed(),
                usual.controllerDelayMin(),
                usual.controllerDelayMax(),
                Duration.ofSeconds(3),
                usual.migration());
    }

    private static ApiEndpoint endpoint(KubernetesConfig cluster) {
        try {
            return new ApiEndpoint(
                    cluster.url(),
                    Files.readString(Path.of(cluster.tokenFile())).strip(),
                    cluster.caFile());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Starts roles, in the order in which a process does. */
    KubeFleet open(Set<Role> wanted) {
        start(wanted, Role.LEDGER, new LedgerVerticle(config.ledger(), shell));
        start(wanted, Role.PRESSURE, new PressureVerticle(config.pressure(), shell));
        start(wanted, Role.MONITOR, new MonitorVerticle(config.monitor(), shell));
        start(wanted, Role.VM, new VmPatchVerticle(config.vm(), kubernetes, shell, roles));
        start(wanted, Role.VM, new VmEventVerticle(config.vm(), kubernetes, shell, roles));
        start(wanted, Role.AGENT, new AgentVerticle(config.agent(), shell, Optional.of(roles)));
        start(
                wanted,
                Role.CLUSTER,
                wanted.contains(Role.LEDGER)
                        ? new ClusterVerticle(config.cluster(), kubernetes, shell, roles)
                        : ClusterVerticle.withoutLedger(config.cluster(), kubernetes, shell, roles));
        start(wanted, Role.GATEWAY, new GatewayVerticle(config.gateway(), shell));
        return this;
    }

    /** Starts the driver's patcher, or restarts it. */
    void restartDriver(boolean writeApproved) {
        driver.ifPresent(id -> {
            done(vertx.undeploy(id));
            deployed.remove(id);
        });
        var usual = config.vm();
        deploy(new VmPatchVerticle(
                new VmConfig(writeApproved, usual.approvedEvery(), usual.writeEvents(), usual.mirrorRequests()),
                kubernetes,
                shell,
                roles));
        driver = Optional.of(deployed.peek());
    }

    private void start(Set<Role> wanted, Role role, Deployable verticle) {
        if (wanted.contains(role)) {
            deploy(verticle);
        }
    }

    private void deploy(Deployable verticle) {
        deployed.push(done(vertx.deployVerticle(verticle)));
    }

    Bus bus() {
        return bus;
    }

    KubernetesClient client() {
        return client;
    }

    /** Controls the load of the guests. */
    LabWork work() {
        return lab.work();
    }

    GuestSnapshot guest(String vm) {
        return lab.guests().get(vm);
    }

    /** The latest status of a VM's runner. */
    RunnerStatus status(String vm) {
        return statuses.get(vm);
    }

    List<Decision> decisions() {
        return decisions;
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            vms() {
        return client.genericKubernetesResources("vm.neon.tech/v1", "VirtualMachine");
    }

    VmState vm(String name) {
        return new VmState(vms().inNamespace(NAMESPACE).withName(name).require());
    }

    /** All VMs by their names. */
    Map<String, VmState> vmStates() {
        return vms().inNamespace(NAMESPACE).list().getItems().stream()
                .collect(Collectors.toMap(vm -> vm.getMetadata().getName(), VmState::new));
    }

    /** Waits until a VM's object meets a condition. */
    VmState vm(String name, Predicate<VmState> condition) {
        return looks("vm " + name).until(() -> vm(name), condition);
    }

    /** Waits with repeated attempts: a busy API server may fail to reply, and the next attempt succeeds. */
    private static ConditionFactory looks(String what) {
        return await(what).atMost(WITHIN).pollInterval(LOOK_EVERY).ignoreException(KubernetesClientException.class);
    }

    /** Waits until a VM has that size in spec and status, and in its guest. */
    VmState settles(String name, Resources size) {
        var state = vm(name, vm -> vm.settledAt(size));
        await("guest " + name).atMost(WITHIN).until(() -> guest(name).size().equals(size));
        return state;
    }

    /** Writes a VM's bounds, in units. */
    void bounds(String vm, int min, int max) {
        var text =
                new JsonObject().put("min", bound(min)).put("max", bound(max)).encode();
        vms().inNamespace(NAMESPACE).withName(vm).edit(object -> {
            object.getMetadata().getAnnotations().put("autoscaling.neon.tech/bounds", text);
            return object;
        });
    }

    private static JsonObject bound(int units) {
        return new JsonObject().put("cpu", units * 250 + "m").put("mem", units + "Gi");
    }

    /** Creates a pod without a VM, bound to a node without a scheduler. */
    void bindPod(String name, String node, Resources requests) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("main")
                .withImage("example/main:1")
                .withNewResources()
                .addToRequests("cpu", new Quantity(requests.milliCpu() + "m"))
                .addToRequests("memory", new Quantity(String.valueOf(requests.memoryBytes())))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        // If a busy machine replied too late, the pod may exist already.
        looks("pod " + name)
                .pollDelay(Duration.ZERO)
                .until(() -> client.pods().resource(pod).get() != null
                        || client.pods().resource(pod).create() != null);
    }

    /** Ends a pod as its kubelet does. */
    void endPod(String name) {
        looks("end of pod " + name)
                .pollDelay(Duration.ZERO)
                .until(() -> client.pods()
                                .inNamespace(NAMESPACE)
                                .withName(name)
                                .withGracePeriod(0)
                                .delete()
                        != null);
    }

    /** Waits until a VM has an Event with this reason. */
    Event event(String vm, String reason) {
        return looks("event " + reason + " on " + vm)
                .until(
                        () -> client.v1().events().inNamespace(NAMESPACE).list().getItems().stream()
                                .filter(event -> event.getReason().equals(reason)
                                        && event.getInvolvedObject().getName().equals(vm))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** The value of a gauge of Sluice's with one tag. */
    double gauge(String name, String tag, String value) {
        return shell.meters().get(name).tag(tag, value).gauge().value();
    }

    List<NodeLedgerView> ledger() {
        return done(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")))
                .nodes();
    }

    /** The ledger state of a node that is complete. */
    NodeLedgerView ledger(String node) {
        return ledger(node, known -> true);
    }

    /** Waits until the ledger state of a node meets a condition. */
    NodeLedgerView ledger(String node, Predicate<NodeLedgerView> condition) {
        return looks("ledger state of " + node)
                .until(
                        () -> ledger().stream()
                                .filter(ledger -> ledger.node().equals(node))
                                .filter(condition)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** The reservations of the VM's pods, on all nodes. */
    List<ReservationView> members(String vm) {
        return ledger().stream()
                .flatMap(node -> node.reservations().stream())
                .filter(reservation -> reservation.vmName().equals(vm))
                .toList();
    }

    /** Waits until the auditor has compared the current state too, and has found no difference. */
    void auditsClean() {
        long looks = lab.audit().checks();
        await("an audit").atMost(WITHIN).until(() -> lab.audit().checks() > looks + 1);
        assertThat(lab.audit().firstBreach()).isEmpty();
    }

    /** The result of a future, within a time limit. */
    static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(STEP_WITHIN.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        deployed.forEach(id -> done(vertx.undeploy(id)));
        done(vertx.close());
        client.close();
        roles.close();
    }
}
