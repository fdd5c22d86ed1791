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
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.LabWork;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.guest.GuestSnapshot;
import io.sluice.launcher.SluiceConfig;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.ClusterVerticle;
import io.sluice.neonvm.KubernetesConfig;
import io.sluice.neonvm.KubernetesConnection;
import io.sluice.neonvm.VmConfig;
import io.sluice.neonvm.VmEventVerticle;
import io.sluice.neonvm.VmPatchVerticle;
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
 * A fleet of the lab in a real cluster, with the lab's controllers and auditor, and roles of Sluice beside it in this
 * process, at the demo's pace. Closed, it has taken all of it away again.
 */
final class Town implements AutoCloseable {
    /** Whatever is to come true comes true within this. */
    static final Duration WITHIN = Duration.ofSeconds(120);

    /** Everything that serves VMs in one process. */
    static final Set<Role> ALL =
            EnumSet.of(Role.LEDGER, Role.PRESSURE, Role.MONITOR, Role.VM, Role.AGENT, Role.CLUSTER, Role.GATEWAY);

    private static final String NAMESPACE = "default";
    private static final Path DEMO = Path.of("..", "..", "config", "demo.yaml");
    private static final Duration STEP_WITHIN = Duration.ofSeconds(60);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final SluiceConfig config;
    private final KubernetesConfig seen;
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
     * Its fleet stands, and no role of Sluice runs yet.
     *
     * @param cluster as the lab and the test see it
     * @param seen as Sluice sees it
     * @param changes keys that differ from the demo's config
     */
    Town(KubernetesConfig cluster, KubernetesConfig seen, Map<String, String> changes, LabNode... fleet) {
        this(cluster, config(seen, YamlText.read(DEMO), changes), LabConfig.DEFAULTS, fleet);
    }

    private Town(KubernetesConfig cluster, SluiceConfig config, LabConfig pace, LabNode... fleet) {
        this.config = config;
        seen = config.kubernetes();
        lab = LabVerticle.in(endpoint(cluster), pace, shell, List.of(fleet));
        client = KubernetesConnection.open(cluster, shell.meters());
        roles = KubernetesConnection.open(config.kubernetes(), shell.meters());
        done(bus.subscribe(AgentAddresses.DECISION, decisions::add));
        done(bus.subscribe(
                AgentAddresses.STATUS, status -> statuses.put(status.vm().name(), status)));
        deploy(lab);
    }

    /** One that Sluice sees as everybody does, where all roles run. */
    static Town open(ControlPlane plane, Map<String, String> changes, LabNode... fleet) {
        return new Town(plane.admin(), plane.admin(), changes, fleet).open(ALL);
    }

    private static SluiceConfig config(KubernetesConfig seen, ObjectNode file, Map<String, String> changes) {
        var keys = new HashMap<>(changes);
        keys.put("sluice.kubernetes.url", seen.url());
        keys.put("sluice.kubernetes.tokenFile", seen.tokenFile());
        keys.put("sluice.kubernetes.caFile", seen.caFile());
        keys.putIfAbsent("sluice.gateway.agent.port", "0");
        return ConfigReader.read(
                SluiceConfig.class, SluiceConfig.DEFAULTS, new ConfigSources(file, Map.of(), keys).without("lab"));
    }

    /** One of many VMs, where all roles run at the pace of every day. */
    static Town everyday(ControlPlane plane, Map<String, String> changes, LabNode... fleet) {
        var nothing = JsonNodeFactory.instance.objectNode();
        return new Town(plane.admin(), config(plane.admin(), nothing, changes), seldomAudited(), fleet).open(ALL);
    }

    /** A look reads every VM twice. */
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

    /** Starts roles, in the order of a process. */
    Town open(Set<Role> wanted) {
        start(wanted, Role.LEDGER, new LedgerVerticle(config.ledger(), shell));
        start(wanted, Role.PRESSURE, new PressureVerticle(config.pressure(), shell));
        start(wanted, Role.MONITOR, new MonitorVerticle(config.monitor(), shell));
        start(wanted, Role.VM, new VmPatchVerticle(config.vm(), seen, shell, roles));
        start(wanted, Role.VM, new VmEventVerticle(config.vm(), seen, shell, roles));
        start(wanted, Role.AGENT, new AgentVerticle(config.agent(), shell, Optional.of(roles)));
        start(
                wanted,
                Role.CLUSTER,
                wanted.contains(Role.LEDGER)
                        ? new ClusterVerticle(config.cluster(), seen, shell, roles)
                        : ClusterVerticle.withoutLedger(config.cluster(), seen, shell, roles));
        start(wanted, Role.GATEWAY, new GatewayVerticle(config.gateway(), shell));
        return this;
    }

    /** Starts the driver's patcher, or starts it anew. */
    void restartDriver(boolean writeApproved) {
        driver.ifPresent(id -> {
            done(vertx.undeploy(id));
            deployed.remove(id);
        });
        var usual = config.vm();
        deploy(new VmPatchVerticle(
                new VmConfig(writeApproved, usual.approvedEvery(), usual.writeEvents()), seen, shell, roles));
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

    /** What guests do, on request. */
    LabWork errands() {
        return lab.errands();
    }

    GuestSnapshot guest(String vm) {
        return lab.guests().get(vm);
    }

    /** What its runner said of a VM last. */
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

    /** Waits until a VM's object says something. */
    VmState vm(String name, Predicate<VmState> wanted) {
        return looks("vm " + name).until(() -> vm(name), wanted);
    }

    /** Of a busy API server an answer may be missing: the next look has one. */
    private static ConditionFactory looks(String what) {
        return await(what).atMost(WITHIN).pollInterval(LOOK_EVERY).ignoreException(KubernetesClientException.class);
    }

    /** Waits until a VM was told to be that, is that, and its guest too. */
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

    /** As somebody who asks no scheduler: a pod without a VM, on a node. */
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
        // Where a busy machine answered too late, it may be there already.
        looks("pod " + name)
                .pollDelay(Duration.ZERO)
                .until(() -> client.pods().resource(pod).get() != null
                        || client.pods().resource(pod).create() != null);
    }

    /** As a kubelet that has ended it. */
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

    /** Waits until an event of this reason stands on a VM. */
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

    List<NodeLedgerView> books() {
        return done(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest("")))
                .nodes();
    }

    /** The books of a node that is known. */
    NodeLedgerView books(String node) {
        return books(node, known -> true);
    }

    /** Waits until the books of a node say something. */
    NodeLedgerView books(String node, Predicate<NodeLedgerView> wanted) {
        return looks("books of " + node)
                .until(
                        () -> books().stream()
                                .filter(books -> books.node().equals(node))
                                .filter(wanted)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** The members that are pods of a VM, wherever they are. */
    List<ReservationView> members(String vm) {
        return books().stream()
                .flatMap(node -> node.members().stream())
                .filter(member -> member.vmName().equals(vm))
                .toList();
    }

    /** The auditor has looked, also at what is so now, and found nothing. */
    void auditsClean() {
        long looks = lab.audit().checks();
        await("a look of the auditor").atMost(WITHIN).until(() -> lab.audit().checks() > looks + 1);
        assertThat(lab.audit().firstBreach()).isEmpty();
    }

    /** What the future held, within a bound. */
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
