package io.sluice.kube.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.deploy.Deploy;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.Command;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an instance of the role workers is a pod on a node of Kubernetes, from its creation to its deletion. Method: a
 * process of the distribution and its command line on a real API server, with the rights of the overlay all-in-one and
 * its component; the test stands for the kubelet.
 */
@OnKubernetes
class InstancesOnKubernetesTest {
    private static final Duration WITHIN = Duration.ofSeconds(90);
    private static final String NAMESPACE = "sluice-instances";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final String ACCOUNT = "system:serviceaccount:kube-system:sluice";

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi raw;
    private static Kubectl kubectl;
    private static SortedSet<Right> rightsOfTheComponent;
    private static Path folder;
    private static Process sluice;
    private static int controlPort;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        folder = directory;
        plane = ControlPlane.audited(folder);
        client = KubernetesConnection.open(plane.admin());
        kubectl = new Kubectl(folder, plane.admin());
        var overlay = new ComposedOverlay(kubectl, folder, "all-in-one", "instances");
        rightsOfTheComponent = overlay.rightsBeyond(new ComposedOverlay(kubectl, folder, "all-in-one"));
        var access = plane.by(plane.apiPort(), overlay.token("sluice"));
        raw = new RawApi(client);
        var node = raw.post("/api/v1/nodes", """
            {"metadata":{"name":"node-a"},"status":{"allocatable":{"cpu":"3800m","memory":"8Gi","pods":"110"},
              "conditions":[{"type":"Ready","status":"True"}]}}\
            """);
        assertThat(node.status()).as("%s", node.body()).isEqualTo(201);
        controlPort = LoopbackPorts.next();
        var config = Files.writeString(folder.resolve("workers.yaml"), """
            roles: [ledger, placement, cluster, vm, workers]
            gateway: {ops: {port: 0}}
            kubernetes: {url: "%s", tokenFile: "%s", caFile: "%s"}
            lease: {namespace: kube-system, name: sluice}
            workers: {port: 0, controlPort: %d, store: "%s", kubernetes: {enabled: true, namespace: %s}}
            """.formatted(
                access.url(), access.tokenFile(), access.caFile(), controlPort, folder.resolve("store"), NAMESPACE));
        var builder = new ProcessBuilder(Deploy.program().toString(), "run", "--config", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("workers.log").toFile());
        builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        sluice = builder.start();
        await().atMost(WITHIN)
                .until(() -> command("workers", "list")
                        .lines()
                        .anyMatch(line -> line.matches("kubernetes:node-a +READY .*")));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        sluice.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
        client.close();
        plane.close();
    }

    /** The output; empty while the process is not there. */
    private static String command(String... words) {
        var all = new ArrayList<>(List.of(Deploy.program().toString()));
        all.addAll(List.of(words).subList(0, 1));
        all.addAll(List.of("--control", "127.0.0.1:" + controlPort));
        all.addAll(List.of(words).subList(1, words.length));
        try {
            return Command.run(all);
        } catch (IllegalStateException notYet) {
            return "";
        }
    }

    private static void create(String id, String container) throws IOException {
        var definition = Files.writeString(
                folder.resolve(id + ".json"), "{\"kind\": \"Pod\", \"spec\": {\"containers\": [" + container + "]}}");
        var arguments = List.of("--definition", definition.toString(), "--cpu", "1", "--memory", "1Gi");
        var words = new ArrayList<>(List.of("instances", "create", id, "--on", "kubernetes"));
        words.addAll(arguments);
        assertThat(command(words.toArray(String[]::new))).contains(id + " created");
    }

    private static String awaitLine(String id, Predicate<String> wanted) {
        return await().atMost(WITHIN)
                .until(
                        () -> command("instances", "list")
                                .lines()
                                .filter(line -> line.startsWith(id + " "))
                                .findFirst()
                                .orElse(""),
                        wanted);
    }

    private static JsonNode pod(String name) {
        return raw.get(PODS + "/" + name).body();
    }

    private static void status(String name, String status) {
        var written =
                raw.patch(PODS + "/" + name + "/status", "application/merge-patch+json", "{\"status\":" + status + "}");
        assertThat(written.status()).as("%s", written.body()).isEqualTo(200);
    }

    @Test
    @DisplayName("AT-W19 an instance is a pod that the API server accepts, with its size, status and end")
    void pod() throws IOException {
        create("a", "{\"image\": \"example.com/web:1\", \"command\": [\"/bin/web\"], \"env\": {\"PORT\": \"80\"}}");
        awaitLine("a", line -> line.contains(" CREATING ") && line.contains("kubernetes:node-a"));
        var made = pod("a-1");
        assertThat(made.at("/spec/nodeName").asText()).isEqualTo("node-a");
        assertThat(made.at("/spec/containers/0/resources/requests/cpu").asText())
                .isEqualTo("1");
        assertThat(made.at("/spec/containers/0/resources/limits/memory").asText())
                .isEqualTo("1073741824");

        status("a-1", "{\"phase\":\"Running\"}");
        awaitLine("a", line -> line.contains(" RUNNING "));
        status("a-1", """
            {"phase":"Failed","containerStatuses":[{"name":"instance","image":"x","imageID":"x","ready":false,
              "restartCount":0,"state":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}]}\
            """);
        await().atMost(WITHIN).until(() -> pod("a-2").path("metadata").has("uid"));
        await().atMost(WITHIN).until(() -> !pod("a-1").path("metadata").has("uid"));
        status("a-2", "{\"phase\":\"Running\"}");
        awaitLine("a", line -> line.contains(" RUNNING "));

        assertThat(command("instances", "delete", "a")).contains("a deleted");
        await().atMost(WITHIN).until(() -> pod("a-2").path("metadata").has("deletionTimestamp"));
        awaitLine("a", line -> line.contains(" DESTROYING "));
        // The container has ended: the kubelet removes the object.
        client.pods().inNamespace(NAMESPACE).withName("a-2").withGracePeriod(0).delete();
        awaitLine("a", line -> line.contains(" TERMINATED "));
    }

    @Test
    @DisplayName("AT-W19 the component's rights are those that are used, in the namespace of instances alone")
    void rights() throws IOException {
        // Another's pod has the name that the instance's would have.
        var another = raw.post(PODS, """
            {"metadata":{"name":"c-1"},"spec":{"containers":[{"name":"main","image":"none"}]}}\
            """);
        assertThat(another.status()).as("%s", another.body()).isEqualTo(201);
        create("c", "{\"image\": \"example.com/web:1\"}");
        var audit = new AuditLog(plane.auditLog());
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(audit.used(ACCOUNT)).contains(new Right("", "pods", "get")));
        assertThat(command("instances", "delete", "c")).contains("c deleted");

        create("d", "{\"image\": \"example.com/web:1\"}");
        awaitLine("d", line -> line.contains(" CREATING "));
        assertThat(command("instances", "delete", "d")).contains("d deleted");
        await().atMost(WITHIN).until(() -> pod("d-1").path("metadata").has("deletionTimestamp"));
        // Requests follow one another, so what the end of c had deleted would be gone by now.
        assertThat(pod("c-1").path("metadata").has("uid")).isTrue();
        assertThat(pod("c-1").path("metadata").has("deletionTimestamp")).isFalse();

        assertThat(audit.forbidden(ACCOUNT)).isEmpty();
        assertThat(rightsOfTheComponent).isNotEmpty().isSubsetOf(audit.used(ACCOUNT));
        assertThat(kubectl.run("auth", "can-i", "create", "pods", "--as=" + ACCOUNT, "--namespace=" + NAMESPACE))
                .startsWith("yes");
        assertThatThrownBy(() ->
                        kubectl.run("auth", "can-i", "create", "pods", "--as=" + ACCOUNT, "--namespace=kube-system"))
                .hasMessageEndingWith("no\n");
    }

    @Test
    @DisplayName("AT-W19 what the API server refuses waits with its reason")
    void refused() throws IOException {
        create("b", "{\"image\": \" \"}");
        assertThat(awaitLine("b", line -> line.contains(" PENDING ") && line.contains("422")))
                .contains("image");
        assertThat(command("instances", "delete", "b")).contains("b deleted");
    }
}
