package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.neonvm.api.KubernetesConnection;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: with the components {@code identity} and {@code service-discovery}, an agent gets the ledger's permits over
 * TLS, by its pod's token, and by the rights of the overlay alone. Method: scheduler and agent are processes of the
 * distribution, with the overlays' config and variables and with tokens of their service accounts; a fleet of the lab
 * runs on a real API server, which reviews the tokens.
 */
@OnKubernetes
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentOverTlsOnKubernetesTest {
    private static final Duration WITHIN = Duration.ofSeconds(240);
    private static final String NAMESPACE = "kube-system";
    private static final String AGENT = "sluice-agent";
    private static final String USER = "system:serviceaccount:" + NAMESPACE + ":" + AGENT;
    private static final String API_AUDIENCE = "https://kubernetes.default.svc";
    private static final String NODE = "node-c";
    private static final String ANSWERED = requests("answered");
    private static final String UNUSABLE = requests("unusable");
    private static final List<Right> BY_SERVICE = List.of(
            new Right("discovery.k8s.io", "endpointslices", "list"),
            new Right("discovery.k8s.io", "endpointslices", "watch"));

    private final String network = "127.%d.%d."
            .formatted(
                    ThreadLocalRandom.current().nextInt(64, 128),
                    ThreadLocalRandom.current().nextInt(256));
    private final SelfSignedCertificate certificate = SelfSignedCertificate.create("sluice-scheduler");
    private final List<AutoCloseable> open = new ArrayList<>();
    private Path folder;
    private ControlPlane plane;
    private Kubectl kubectl;
    private KubernetesClient admin;
    private ServiceAccountTokens tokens;
    private List<JsonNode> deployed;
    private int agents;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        assumeThat(Deploy.program())
                .as("the distribution, which mvn package makes")
                .exists();
        var host = Reachable.address();
        assumeThat(host).as("an address beside loopback").isPresent();
        folder = directory.toRealPath();
        plane = ControlPlane.audited(Files.createDirectory(folder.resolve("plane")));
        kubectl = new Kubectl(folder, plane.admin());
        admin = KubernetesConnection.open(plane.admin());
        tokens = new ServiceAccountTokens(admin);
        var own = Files.createDirectory(folder.resolve("own"));
        Files.writeString(own.resolve("kustomization.yaml"), """
            resources: [%s, %s]
            components: [%s, %s]
            """.formatted(
                        own.relativize(Deploy.overlay("scheduler")),
                        own.relativize(Deploy.overlay("agent")),
                        own.relativize(Deploy.component("identity")),
                        own.relativize(Deploy.component("service-discovery"))));
        kubectl.run("apply", "--validate=strict", "-k", own.toString());
        deployed = kubectl.objects("get", "-k", own.toString());

        open.add(PodProcess.start(
                network + 100,
                write("lab.yaml", "roles: [lab]\nlab: {cluster: kubernetes}\n"),
                server(plane.admin().tokenFile()),
                folder.resolve("lab.log")));
        await().atMost(WITHIN)
                .until(() -> kubectl.objects("get", "neonvm", "--namespace=default").stream()
                                .filter(vm -> vm.at("/status/phase").asText().equals("Running"))
                                .count()
                        == 12);
        for (var node : List.of(NODE, "node-a")) {
            kubectl.run(
                    "create",
                    "-f",
                    write("pod.yaml", """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: agent-on-%1$s, namespace: %2$s}
                        spec: {nodeName: %1$s, serviceAccountName: %3$s, containers: [{name: main, image: none}]}
                        """.formatted(node, NAMESPACE, AGENT)).toString());
        }
        startScheduler(host.get());
    }

    @AfterAll
    void stop() throws Exception {
        certificate.delete();
        for (var started : open) {
            started.close();
        }
        if (plane != null) {
            admin.close();
            plane.close();
        }
    }

    @Test
    void anAgentGetsPermitsAndUsesNoOtherRights() {
        var agent = startAgent(NODE, Map.of());
        await().atMost(WITHIN).until(() -> agent.metric(ANSWERED) > 0);
        var audit = new AuditLog(plane.auditLog());
        var needed = new ArrayList<>(BY_SERVICE);
        needed.add(new Right("vm.neon.tech", "virtualmachines", "patch"));
        await().atMost(WITHIN).untilAsserted(() -> assertThat(audit.used(USER)).containsAll(needed));
        var before = agent.metric(ANSWERED);
        await().atMost(WITHIN).until(() -> agent.metric(ANSWERED) > before + 10);

        assertThat(agent.metric(UNUSABLE)).isZero();
        assertThat(agent.stop()).isTrue();
        var without = Right.granted(
                kubectl.objects("get", "-k", Deploy.overlay("agent").toString()).stream());
        var expected = new TreeSet<>(without);
        expected.addAll(BY_SERVICE);
        assertThat(Right.granted(deployed.stream()
                        .filter(object -> object.at("/metadata/name").asText().equals(AGENT))))
                .isEqualTo(expected);
        assertThat(expected).containsAll(audit.used(USER));
    }

    @Test
    void anAgentRefusesASchedulerThatHasAnotherName() {
        getsNothing(NODE, Map.of("SLUICE_AGENT_SCHEDULER_TLS_SERVER_NAME", "elsewhere"), "No name matching elsewhere");
    }

    @Test
    void anAgentRefusesASchedulerOfAnUnknownIssuer() {
        var unknown = SelfSignedCertificate.create("sluice-scheduler");
        try {
            var file = Map.of("SLUICE_AGENT_SCHEDULER_TLS_CA_FILE", unknown.certificatePath());
            getsNothing(NODE, file, "Signature does not match");
        } finally {
            unknown.delete();
        }
    }

    @Test
    void anAgentWithTheTokenOfAnotherNodeGetsNoPermit() {
        getsNothing("node-a", Map.of(), "403: the agent on node node-a may not request permits for pod");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/namespaces/kube-system/secrets",
        "GET, /api/v1/namespaces/kube-system/configmaps",
        "GET, /api/v1/namespaces/kube-system/pods/agent-on-node-c",
        "DELETE, /api/v1/namespaces/kube-system/pods/agent-on-node-c",
        "GET, /api/v1/namespaces/kube-system/events",
        "GET, /api/v1/nodes/node-c",
        "DELETE, /api/v1/nodes/node-c",
        "DELETE, /apis/vm.neon.tech/v1/namespaces/default/virtualmachines/encoder",
        "DELETE, /apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations/any",
        "GET, /apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        "GET, /apis/discovery.k8s.io/v1/endpointslices",
        "GET, /apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices/any",
        "DELETE, /apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices/any",
        "GET, /api/v1/namespaces/kube-system/services",
        "GET, /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/sluice",
        "GET, /apis/rbac.authorization.k8s.io/v1/clusterroles",
    })
    void anAgentsTokenIsGoodForNothingElse(String method, String path) {
        var token = write("other.token", tokens.bound(AGENT, API_AUDIENCE, "Pod", "agent-on-" + NODE));
        try (var client = KubernetesConnection.open(plane.by(plane.apiPort(), token))) {
            assertThat(client.raw("/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices"))
                    .contains("sluice-scheduler");
            assertThatThrownBy(() -> client.raw(path, method, null))
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refused -> assertThat(refused.getCode()).isEqualTo(403));
        }
    }

    /** An agent that differs from the one that gets permits in this alone: it reports the reason, and gets none. */
    private void getsNothing(String tokenOf, Map<String, String> changes, String reason) {
        var agent = startAgent(tokenOf, changes);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(
                                log(agent).lines().filter(line -> line.contains("the ledger opened no session")))
                        .anySatisfy(line -> assertThat(line).containsPattern(reason)));
        assertThat(agent.metric(ANSWERED)).isZero();
        assertThat(agent.stop()).isTrue();
    }

    private String log(PodProcess agent) {
        try {
            return Files.readString(folder.resolve(agent.address() + ".log"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void startScheduler(String host) throws IOException {
        var token = write("scheduler.token", tokens.unbound("sluice-scheduler", API_AUDIENCE));
        var scheduler = new ReviewingScheduler(
                folder,
                plane.by(plane.apiPort(), token),
                List.of(
                        "gateway.agent.host=" + host,
                        "gateway.agent.tls.cert=" + certificate.certificatePath(),
                        "gateway.agent.tls.key=" + certificate.privateKeyPath(),
                        "gateway.agent.tokenReview.enabled=true"));
        open.add(scheduler);
        new Endpoints(admin, host).put(scheduler.agentPort(), true);
    }

    /** Starts an agent for the node's VMs, with the token of a pod that is on that other node. */
    private PodProcess startAgent(String tokenOf, Map<String, String> changes) {
        var pod = "agent-on-" + tokenOf;
        int number = ++agents;
        var api = write(number + ".token", tokens.bound(AGENT, API_AUDIENCE, "Pod", pod));
        var environment = server(api.toString());
        environment.putAll(variables());
        environment.put("SLUICE_AGENT_NODE", NODE);
        environment.put("SLUICE_AGENT_SCHEDULER_NAMESPACE", NAMESPACE);
        environment.put("SLUICE_AGENT_SCHEDULER_TLS_CA_FILE", certificate.certificatePath());
        environment.put(
                "SLUICE_AGENT_SCHEDULER_TOKEN_FILE",
                write(number + ".identity", tokens.bound(AGENT, "sluice", "Pod", pod))
                        .toString());
        environment.putAll(changes);
        var agent = PodProcess.start(
                network + number,
                Deploy.overlay("agent").resolve("sluice.yaml"),
                environment,
                folder.resolve(network + number + ".log"));
        open.add(agent);
        return agent;
    }

    /** The variables of the agents' pods that have a value, with the components. */
    private Map<String, String> variables() {
        var variables = new HashMap<String, String>();
        deployed.stream()
                .filter(object -> object.path("kind").asText().equals("DaemonSet"))
                .map(object -> object.at("/spec/template/spec/containers/0/env"))
                .flatMap(env -> StreamSupport.stream(env.spliterator(), false))
                .filter(variable -> variable.has("value"))
                .forEach(variable -> variables.put(
                        variable.path("name").asText(), variable.path("value").asText()));
        assertThat(variables)
                .containsEntry("SLUICE_AGENT_SCHEDULER_DISCOVER", "service")
                .containsEntry("SLUICE_AGENT_SCHEDULER_TLS_SERVER_NAME", "sluice-scheduler");
        return variables;
    }

    private Map<String, String> server(String tokenFile) {
        return new HashMap<>(Map.of(
                "SLUICE_KUBERNETES_URL", plane.admin().url(),
                "SLUICE_KUBERNETES_CA_FILE", plane.admin().caFile(),
                "SLUICE_KUBERNETES_TOKEN_FILE", tokenFile));
    }

    private Path write(String file, String text) {
        try {
            return Files.writeString(folder.resolve(file), text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private static String requests(String outcome) {
        return "sluice_agent_scheduler_requests_total{outcome=\"" + outcome + "\"}";
    }
}
