package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an overlay grants exactly the rights that its roles use. Method: the program runs by the overlay's own config
 * with the token of the overlay's service account, beside a fleet that scales and migrates in a real API server. The
 * audit log shows what was requested, and what was forbidden. The agent has the token of a pod on its node, and the
 * admission policy of the component {@code identity} applies to it.
 */
@OnKubernetes
class RightsTest {
    private static final String NAMESPACE = "kube-system";
    private static final Duration READY_MAX = Duration.ofSeconds(240);
    private static final Duration USED_MAX = Duration.ofSeconds(480);

    /**
     * A VM that leaves its node without a reason, and another client's migration with the name that ours would have.
     */
    private static final String RESTLESS = "checkout";

    private static final String AGENT_POD = "agent-on-node-c";
    private static final String OBSTACLE = "schedplugin-" + RESTLESS + "-0";

    /** A VM whose bounds annotation is invalid, each time in another way; its agent reports that. */
    private static final String SPOILT = "encoder";

    private static final List<String> NO_BOUNDS = List.of("none", "{}");
    private static final Right COUNT_AN_EVENT = new Right("", "events", "patch");
    private static final Right READ_A_MIGRATION = new Right("vm.neon.tech", "virtualmachinemigrations", "get");

    private static final String PLACEMENT = "placement";
    private static final Right BIND_A_POD = new Right("", "pods/binding", "create");
    private static final Right READ_A_POD = new Right("", "pods", "get");
    private static final Right WAKE_A_POD = new Right("", "pods/status", "patch");
    private static final Right RESIZE_A_POD = new Right("", "pods/resize", "patch");
    private static final Set<Right> TO_PLACE = Set.of(BIND_A_POD, WAKE_A_POD);

    /** What the account of a pod with both containers may not do. */
    private static final List<String> NOT_ALLOWED = List.of(
            "create pods",
            "patch pods",
            "get secrets",
            "get configmaps",
            "patch nodes",
            "create virtualmachines.vm.neon.tech");

    /** An instance that may not migrate VMs tries again and again. */
    private static final Map<String, String> PACE =
            Map.of("SLUICE_PRESSURE_COOLDOWN", "5s", "SLUICE_CLUSTER_TESTING_LABELS", "true");

    private final String network = "127.%d.%d."
            .formatted(
                    ThreadLocalRandom.current().nextInt(64, 128),
                    ThreadLocalRandom.current().nextInt(256));
    private final Iterator<String> mistakes =
            Stream.generate(() -> NO_BOUNDS).<String>mapMulti(List::forEach).iterator();
    private final List<AutoCloseable> running = new ArrayList<>();

    @TempDir
    private Path folder;

    private ControlPlane plane;
    private Kubectl kubectl;
    private AuditLog audit;

    @BeforeEach
    void start() throws IOException {
        assumeThat(Deploy.program())
                .as("the distribution, which mvn package makes")
                .exists();
        plane = ControlPlane.audited(Files.createDirectory(folder.resolve("plane")));
        kubectl = new Kubectl(folder, plane.admin());
        audit = new AuditLog(plane.auditLog());
        // The overlay placement gives the scheduler's account more rights.
        Deploy.OVERLAYS.stream().filter(overlay -> !overlay.equals(PLACEMENT)).forEach(this::apply);
        kubectl.run(
                "apply",
                "-f",
                Deploy.component("identity").resolve("admission-policy.yaml").toString());
        startFleet();
    }

    @AfterEach
    void stop() throws Exception {
        for (var process : running) {
            process.close();
        }
        plane.close();
    }

    @Test
    void theSchedulersSideAndAgentsUseWhatTheyWereGivenAndNothingElse() {
        var schedulers = startSchedulers();
        // The VMs have no runner yet: their fences are taken over.
        awaitUse("sluice-scheduler", new Right("vm.neon.tech", "virtualmachines", "patch"));
        var agent = startAgent();

        awaitAllUsed("scheduler", "sluice-scheduler");
        awaitAllUsed("agent", "sluice-agent");

        assertThat(agent.stop()).isTrue();
        assertThat(schedulers)
                .allSatisfy(scheduler -> assertThat(scheduler.stop()).isTrue());
        assertNothingElse("scheduler", "sluice-scheduler");
        assertNothingElse("agent", "sluice-agent");
    }

    @Test
    void oneProcessUsesWhatItWasGivenAndNothingElse() {
        var all = start("all-in-one", "sluice", network + 9, PACE);

        awaitAllUsed("all-in-one", "sluice");

        assertThat(all.stop()).isTrue();
        assertNothingElse("all-in-one", "sluice");
    }

    @Test
    void mirroredRequestsNeedTwoRightsMore() throws IOException {
        var own = Files.createDirectory(folder.toRealPath().resolve("mirrored"));
        Files.writeString(own.resolve("kustomization.yaml"), """
            resources: [%s]
            components: [%s]
            """.formatted(
                own.relativize(Deploy.overlay("all-in-one")), own.relativize(Deploy.component("mirrored-requests"))));
        var objects = kubectl.objects("create", "--dry-run=client", "-k", own.toString());
        var more = Right.granted(objects.stream());
        more.removeAll(granted("all-in-one"));
        assertThat(more).containsExactlyInAnyOrder(READ_A_POD, RESIZE_A_POD);
        kubectl.run("apply", "-k", own.toString());
        var variables = new HashMap<>(PACE);
        objects.stream()
                .flatMap(object ->
                        object.at("/spec/template/spec/containers/0/env").valueStream())
                .filter(variable -> variable.path("name").asText().startsWith("SLUICE_VM_"))
                .forEach(variable -> variables.put(
                        variable.path("name").asText(), variable.path("value").asText()));

        var all = start("all-in-one", "sluice", network + 9, variables);

        awaitUse("sluice", RESIZE_A_POD);
        assertThat(all.stop()).isTrue();
        assertThat(audit.forbidden(user("sluice"))).isEmpty();
        assertThat(audit.used(user("sluice"))).containsAll(more);
    }

    /**
     * What each component alone grants is used where it is tried. Beside each other none may take what another adds.
     */
    @Test
    void componentsOfPlacementBesideEachOtherGrantWhatEachOneGrants() throws IOException {
        var components = List.of("own-scheduler", "preemption", "gangs", "elastic-jobs");
        var together = new ComposedOverlay(kubectl, folder, "scheduler", components.toArray(String[]::new));
        var each = new TreeSet<Right>();
        for (var component : components) {
            each.addAll(new ComposedOverlay(kubectl, folder, "scheduler", component).rights());
        }
        assertThat(together.rights()).isEqualTo(each);
        assertThat(together.variables())
                .containsEntry("SLUICE_PLACEMENT_PREEMPTION", "true")
                .containsEntry("SLUICE_PLACEMENT_GANGS_ENABLED", "true")
                .containsEntry("SLUICE_PLACEMENT_ELASTIC_ENABLED", "true");
    }

    /**
     * The two containers of a pod share its account. Here each has an account of its own, with the roles that are meant
     * for it, so that neither lives on the rights of the other.
     */
    @Test
    void placementUsesWhatItWasGivenAndNothingElse() {
        apply(PLACEMENT);
        var overlay = kubectl.objects("get", "-k", Deploy.overlay(PLACEMENT).toString());
        Predicate<String> ofKubeScheduler = role -> role.contains("kube-scheduler") || role.startsWith("system:");
        var meantForSluice = bindTo("sluice-alone", overlay, ofKubeScheduler.negate());
        bindTo("kube-scheduler-alone", overlay, ofKubeScheduler);
        var alone = new HashMap<>(PACE);
        alone.putAll(PodProcess.ALONE);
        var sluice = start(PLACEMENT, "sluice-alone", network + 1, alone);
        await().atMost(READY_MAX).until(sluice::isReady);
        runPod(sluice.address());
        awaitUse("sluice-alone", new Right("vm.neon.tech", "virtualmachines", "patch"));
        var agent = startAgent();
        awaitAllUsed(
                "sluice-alone",
                meantForSluice.stream()
                        .filter(right -> !TO_PLACE.contains(right))
                        .toList());

        placePods(sluice, startKubeScheduler(overlay, "kube-scheduler-alone", sluice.address()));
        awaitAllUsed("sluice-alone", meantForSluice);

        assertThat(agent.stop()).isTrue();
        assertThat(sluice.stop()).isTrue();
        assertThat(audit.forbidden(user("sluice-alone"))).isEmpty();
        assertThat(audit.used(user("sluice-alone"))).isEqualTo(meantForSluice);
        assertThat(audit.forbidden(user("kube-scheduler-alone"))).isEmpty();
        // Each is of another role: its Lease by that name, the nodes, the classes of volumes.
        assertThat(audit.used(user("kube-scheduler-alone")))
                .contains(
                        new Right("coordination.k8s.io", "leases", "update"),
                        new Right("", "nodes", "watch"),
                        new Right("storage.k8s.io", "storageclasses", "watch"))
                .doesNotContain(BIND_A_POD);
        for (var right : NOT_ALLOWED) {
            var words = right.split(" ");
            assertThatThrownBy(
                            () -> kubectl.run("auth", "can-i", words[0], words[1], "--as=" + user("sluice-scheduler")))
                    .as(right)
                    .hasMessageEndingWith("no\n");
        }
    }

    /** One pod cannot be bound, so it is touched; one is bound, and one waits until that one has gone. */
    private void placePods(PodProcess sluice, KubeSchedulerProcess scheduler) {
        var pods = new PodsToPlace(kubectl, folder);
        pods.createNode();
        var uid = pods.createGated("gated");
        // A reply that is late on a slow machine is not awaited, only its effect.
        await().atMost(USED_MAX).ignoreException(UncheckedIOException.class).untilAsserted(() -> {
            sluice.extend("/bind", """
                {"PodName":"gated","PodNamespace":"default","PodUID":"%s","Node":"%s"}\
                """.formatted(uid, PodsToPlace.NODE));
            assertThat(audit.used(user("sluice-alone"))).contains(WAKE_A_POD);
        });
        await().atMost(READY_MAX).until(() -> scheduler.passes("startupProbe") && scheduler.passes("livenessProbe"));
        pods.createLarge("first");
        await().atMost(USED_MAX).until(() -> pods.isBound("first"));
        pods.createLarge("second");
        await().atMost(USED_MAX)
                .untilAsserted(() -> assertThat(pods.waits("second")).contains("short of CPU by", "in the ledger"));
        // Otherwise it might place the pod before Sluice wakes it.
        assertThat(scheduler.stop()).isTrue();
        pods.delete("first");
    }

    /**
     * Creates an account, and binds it to those roles of the overlay to which the pod's account is bound. Returns the
     * rights of those that the overlay defines.
     */
    private SortedSet<Right> bindTo(String account, List<JsonNode> overlay, Predicate<String> meant) {
        kubectl.run("create", "serviceaccount", account, "--namespace=" + NAMESPACE);
        var roles = overlay.stream()
                .filter(object -> object.path("kind").asText().endsWith("Binding"))
                .map(binding -> binding.path("roleRef"))
                .filter(role -> meant.test(role.path("name").asText()))
                .toList();
        assertThat(roles).isNotEmpty();
        for (var role : roles) {
            var kind = role.path("kind").asText();
            kubectl.run(
                    "create",
                    kind.toLowerCase(Locale.ROOT) + "binding",
                    account + "-" + role.path("name").asText().replace(':', '-'),
                    "--" + kind.toLowerCase(Locale.ROOT) + "="
                            + role.path("name").asText(),
                    "--serviceaccount=" + NAMESPACE + ":" + account,
                    "--namespace=" + NAMESPACE);
        }
        var names = roles.stream().map(role -> role.path("name").asText()).toList();
        return Right.granted(overlay.stream()
                .filter(object -> names.contains(object.at("/metadata/name").asText())));
    }

    private KubeSchedulerProcess startKubeScheduler(List<JsonNode> overlay, String account, String sluice) {
        var token = write(account + ".token", kubectl.run("create", "token", account, "--namespace=" + NAMESPACE));
        var process = new KubeSchedulerProcess(overlay, plane.by(plane.apiPort(), token), sluice, folder);
        running.add(process);
        return process;
    }

    private void apply(String overlay) {
        kubectl.run("apply", "-k", Deploy.overlay(overlay).toString());
    }

    /** Starts NeonVM, its guests and the kubelets, with all rights. */
    private void startFleet() {
        var config = write("lab.yaml", "roles: [lab]\nlab: {cluster: kubernetes}\n");
        var environment = new HashMap<>(server());
        environment.put("SLUICE_KUBERNETES_TOKEN_FILE", plane.admin().tokenFile());
        running.add(PodProcess.start(network + 100, config, environment, folder.resolve("lab.log")));
        await().atMost(READY_MAX)
                .until(() -> vms().size() == 12
                        && vms().stream()
                                .allMatch(vm -> vm.at("/status/phase").asText().equals("Running")));
        kubectl.run("label", "neonvm", RESTLESS, "autoscaling.neon.tech/testing-only-always-migrate=true");
        create("""
            apiVersion: vm.neon.tech/v1
            kind: VirtualMachineMigration
            metadata: {name: %s, namespace: default}
            spec: {vmName: nobody}
            """.formatted(OBSTACLE));
    }

    private List<JsonNode> vms() {
        return kubectl.objects("get", "neonvm", "--namespace=default");
    }

    /**
     * Starts schedulers. They find each other by a list, as their service has no DNS name here, and agents find them by
     * their pods.
     */
    private List<PodProcess> startSchedulers() {
        var ports = List.of(LoopbackPorts.next(), LoopbackPorts.next(), LoopbackPorts.next());
        var all = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        var started = new ArrayList<PodProcess>();
        for (int port : ports) {
            var variables = new HashMap<>(PACE);
            variables.put("SLUICE_HAZELCAST_JOIN", "tcp");
            variables.put("SLUICE_HAZELCAST_ADDRESSES", all);
            variables.put("SLUICE_HAZELCAST_HOST", "127.0.0.1");
            variables.put("SLUICE_HAZELCAST_PORT", Integer.toString(port));
            variables.put("SLUICE_HAZELCAST_BUS_PORT", Integer.toString(LoopbackPorts.next()));
            started.add(start("scheduler", "sluice-scheduler", network + (started.size() + 1), variables));
        }
        for (var scheduler : started) {
            await().atMost(READY_MAX).until(scheduler::isReady);
            runPod(scheduler.address());
        }
        return started;
    }

    /** Starts an agent, which finds schedulers by their pods. */
    private PodProcess startAgent() {
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s, namespace: %2$s}
            spec: {nodeName: node-c, serviceAccountName: sluice-agent, containers: [{name: main, image: none}]}
            """.formatted(AGENT_POD, NAMESPACE));
        return start(
                "agent",
                "sluice-agent",
                network + 9,
                Map.of("SLUICE_AGENT_NODE", "node-c"),
                "--bound-object-kind=Pod",
                "--bound-object-name=" + AGENT_POD);
    }

    private void runPod(String address) {
        var set = kubectl.objects("get", "statefulset", "sluice-scheduler", "--namespace=" + NAMESPACE)
                .getFirst();
        var name = "sluice-scheduler-" + address.substring(address.lastIndexOf('.') + 1);
        var pods = new WorkloadPods(kubectl, folder);
        pods.create(set, name);
        pods.run(name, address);
    }

    private void create(String object) {
        kubectl.run("create", "-f", write("object.yaml", object).toString());
    }

    private PodProcess start(
            String overlay, String account, String address, Map<String, String> variables, String... bound) {
        var environment = new HashMap<>(server());
        environment.putAll(variables);
        var create = Stream.concat(Stream.of("create", "token", account, "--namespace=" + NAMESPACE), Stream.of(bound));
        var token = kubectl.run(create.toArray(String[]::new));
        environment.put(
                "SLUICE_KUBERNETES_TOKEN_FILE", write(account + ".token", token).toString());
        var process = PodProcess.start(
                address,
                Deploy.overlay(overlay).resolve("sluice.yaml"),
                environment,
                folder.resolve(overlay + "-" + address + ".log"));
        running.add(process);
        return process;
    }

    private Map<String, String> server() {
        return Map.of(
                "SLUICE_KUBERNETES_URL", plane.admin().url(),
                "SLUICE_KUBERNETES_CA_FILE", plane.admin().caFile());
    }

    private void awaitUse(String account, Right right) {
        await().atMost(USED_MAX)
                .untilAsserted(() -> assertThat(audit.used(user(account))).contains(right));
    }

    private void awaitAllUsed(String overlay, String account) {
        awaitAllUsed(account, granted(overlay));
    }

    private void awaitAllUsed(String account, Collection<Right> granted) {
        await().atMost(USED_MAX).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            var used = audit.used(user(account));
            if (!used.contains(COUNT_AN_EVENT)) {
                spoilBounds();
            } else if (used.contains(READ_A_MIGRATION)) {
                clearTheWay();
            }
            assertThat(used).containsAll(granted);
        });
    }

    private void spoilBounds() {
        kubectl.run("annotate", "neonvm", SPOILT, "--overwrite", "autoscaling.neon.tech/bounds=" + mistakes.next());
    }

    /** Removes the obstacles, so that what was refused before now begins. */
    private void clearTheWay() {
        kubectl.run("delete", "neonvmm", OBSTACLE, "--ignore-not-found", "--wait=false");
    }

    private void assertNothingElse(String overlay, String account) {
        // A VM may leave the agent's node between its observation and a patch. That patch is no matter of rights.
        assertThat(audit.forbidden(user(account))).allMatch(refusal -> refusal.contains(" may not change VM "));
        assertThat(audit.used(user(account))).isEqualTo(granted(overlay));
    }

    private SortedSet<Right> granted(String overlay) {
        return Right.granted(
                kubectl.objects("get", "-k", Deploy.overlay(overlay).toString()).stream());
    }

    private static String user(String account) {
        return "system:serviceaccount:" + NAMESPACE + ":" + account;
    }

    private Path write(String file, String text) {
        try {
            return Files.writeString(folder.resolve(file), text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
