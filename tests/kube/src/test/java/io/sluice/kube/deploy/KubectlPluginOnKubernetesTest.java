package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.gateway.listener.TestCertificate;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: {@code kubectl sluice} asks the process that has the answer, with the rights of the user alone. Method: a real
 * API server and the real kubectl with its plugin. The node's kubelet forwards ports by Kubernetes' own code, and
 * starts no pods: the pods of the scheduler and of the agent on {@code n1} lead to a process that runs the demo, the
 * agent on {@code n2} to a port where nothing listens.
 */
@OnKubernetes
class KubectlPluginOnKubernetesTest {
    private static final Duration READY_MAX = Duration.ofSeconds(180);
    private static final long END_MAX_SECONDS = 120;
    private static final String FORWARDER = "port-forwarder";
    private static final String USER = "operator";
    private static final String STRANGER = "stranger";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static final List<Process> STARTED = new ArrayList<>();
    private static ControlPlane plane;
    private static KubernetesClient admin;
    private static String vm;

    /** How a command ended. */
    private record Ended(int status, String output, String errors) {}

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        assumeThat(plane.program(FORWARDER))
                .as("a ready control plane may lack it")
                .isExecutable();
        int console = LoopbackPorts.next();
        demo(console);
        admin = KubernetesConnection.open(plane.admin());
        await().atMost(READY_MAX).ignoreExceptions().until(() -> admin.raw("/api/v1/namespaces/kube-system") != null);
        int kubelet = LoopbackPorts.next();
        var certificate = TestCertificate.of("EC", folder).writeTo(folder);
        start(List.of(
                plane.program(FORWARDER).toString(),
                "127.0.0.1:" + kubelet,
                certificate.cert(),
                certificate.key(),
                "scheduler=" + console,
                "agent-n1=" + console,
                "agent-n2=" + LoopbackPorts.next()));
        node("n1", kubelet);
        node("n2", kubelet);
        pod("scheduler", "scheduler", "n1");
        pod("agent-n1", "agent", "n1");
        pod("agent-n2", "agent", "n2");
        users(new Kubectl(folder, plane.admin()));
        vm = await().atMost(READY_MAX)
                .ignoreExceptions()
                .until(() -> fleet(console).at("/vms/0/key").asText(), name -> !name.isEmpty());
        vm(vm.substring(vm.indexOf('/') + 1), "n1");
        vm("elsewhere", "n2");
    }

    /** A process with all roles and VMs. */
    private static void demo(int console) throws IOException {
        var command = new ArrayList<>(List.of(Deploy.program().toString(), "demo", "--duration", "10m"));
        for (var listener : List.of("ops", "agent", "dump", "vmMetrics")) {
            command.add("-Dsluice.gateway." + listener + ".port=0");
        }
        command.add("-Dsluice.gateway.console.port=" + console);
        start(command);
    }

    private static void start(List<String> command) throws IOException {
        STARTED.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        folder.resolve("process-" + STARTED.size() + ".log").toFile())
                .start());
    }

    private static JsonNode fleet(int console) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console + "/api/fleet"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        }
    }

    private static void node(String name, int kubelet) {
        made("/api/v1/nodes", name, """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"}}\
            """.formatted(name), """
                {"addresses":[{"type":"InternalIP","address":"127.0.0.1"}],
                 "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}}}\
                """.formatted(kubelet));
    }

    private static void pod(String name, String component, String node) {
        made("/api/v1/namespaces/kube-system/pods", name, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{
               "app.kubernetes.io/name":"sluice","app.kubernetes.io/component":"%s"}},
             "spec":{"nodeName":"%s","automountServiceAccountToken":false,
               "containers":[{"name":"sluice","image":"none"}]}}\
            """.formatted(name, component, node), """
            {"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}\
            """);
    }

    private static void vm(String name, String node) {
        made("/apis/vm.neon.tech/v1/namespaces/default/virtualmachines", name, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","metadata":{"name":"%s"},
             "spec":{"guest":{"cpus":{"min":"250m","max":4,"use":"250m"},
               "memorySlots":{"min":1,"max":16,"use":2},"memorySlotSize":"1Gi"}}}\
            """.formatted(name), """
                {"phase":"Running","podName":"%s-0","podIP":"10.0.0.1","node":"%s","cpus":"250m","memorySize":"2Gi"}\
                """.formatted(
                        name, node));
    }

    private static void made(String path, String name, String object, String status) {
        var made = admin.raw(path, "POST", object);
        var whole = JSON.createObjectNode();
        try {
            whole.setAll((ObjectNode) JSON.readTree(made));
            whole.set("status", JSON.readTree(status));
        } catch (IOException noJson) {
            throw new IllegalStateException(noJson);
        }
        admin.raw(path + "/" + name + "/status", "PUT", whole.toString());
    }

    /** One with the rights that the plugin names, and one that may not forward ports. */
    private static void users(Kubectl kubectl) {
        kubectl.run("create", "clusterrole", "sees", "--verb=get,list", "--resource=pods,virtualmachines.vm.neon.tech");
        kubectl.run("create", "role", "forwards", "-n", "kube-system", "--verb=create", "--resource=pods/portforward");
        for (var user : List.of(USER, STRANGER)) {
            kubectl.run("create", "serviceaccount", user, "-n", "kube-system");
            kubectl.run(
                    "create", "clusterrolebinding", user, "--clusterrole=sees", "--serviceaccount=kube-system:" + user);
        }
        kubectl.run(
                "create",
                "rolebinding",
                USER,
                "-n",
                "kube-system",
                "--role=forwards",
                "--serviceaccount=kube-system:" + USER);
    }

    @AfterAll
    static void stop() {
        STARTED.forEach(Process::destroyForcibly);
        if (admin != null) {
            admin.close();
        }
        if (plane != null) {
            plane.close();
        }
    }

    /** Runs the command as that user, whose kubeconfig names the API server and a token. */
    private static Ended kubectl(String user, String... arguments) throws IOException, InterruptedException {
        var token = new ServiceAccountTokens(admin).unbound(user, "https://kubernetes.default.svc");
        var config = Files.writeString(folder.resolve(user + ".kubeconfig"), """
            {"apiVersion":"v1","kind":"Config","current-context":"tests",
             "clusters":[{"name":"tests","cluster":{"server":"%s","certificate-authority":"%s"}}],
             "users":[{"name":"user","user":{"token":"%s"}}],
             "contexts":[{"name":"tests","context":{"cluster":"tests","user":"user"}}]}\
            """.formatted(
                        plane.admin().url(), plane.admin().caFile(), token));
        var kubectl = plane.program("kubectl");
        var command = new ArrayList<>(List.of(kubectl.toString(), "sluice"));
        command.addAll(List.of(arguments));
        var output = Files.createTempFile(folder, "plugin", ".out");
        var errors = Files.createTempFile(folder, "plugin", ".err");
        var builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().put("KUBECONFIG", config.toString());
        builder.environment()
                .merge(
                        "PATH",
                        Deploy.program().getParent() + ":" + kubectl.getParent() + ":",
                        (path, ours) -> ours + path);
        var process = builder.start();
        STARTED.add(process);
        assertThat(process.waitFor(END_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    @Test
    void whyOfAVmIsAnsweredByTheAgentOfItsNode() throws Exception {
        var ended = kubectl(USER, "why", "vm", vm, "--output", "json");

        assertThat(ended.status()).as(ended.errors()).isZero();
        assertThat(JSON.readTree(ended.output()).at("/subject/vm").asText()).isEqualTo(vm);
        assertThat(kubectl(USER, "why", "vm", "elsewhere").status())
                .as("nothing listens behind the agent of that node")
                .isNotZero();
    }

    @Test
    void theStatusIsAnsweredByTheScheduler() throws Exception {
        var ended = kubectl(USER, "--context", "tests", "status");

        assertThat(ended.status()).as(ended.errors()).isZero();
        assertThat(ended.output()).contains("placement");
    }

    @Test
    void aUserWithoutTheRightGetsItsName() throws Exception {
        var ended = kubectl(STRANGER, "status");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.errors())
                .contains("the console of pod kube-system/scheduler cannot be reached")
                .contains("pods/portforward");
    }

    @Test
    void aNamespaceWithoutSluiceIsNamed() throws Exception {
        var ended = kubectl(USER, "-n", "default", "status");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.errors()).contains("the namespace default has no ready pod of Sluice.");
    }

    @Test
    void aCommandWithoutARunningProcessIsRefused() throws Exception {
        var ended = kubectl(USER, "run");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.errors()).contains("run is no option, and no command that needs a running process");
    }
}
