package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: a Kubernetes cluster accepts {@code deploy/} as it is intended. Method: the real kubectl applies it to a real
 * API server, which refuses unknown fields; the resulting objects are compared with the intended ones.
 */
@OnKubernetes
class DeployTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static Kubectl kubectl;

    @BeforeAll
    static void start() throws IOException {
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        kubectl = new Kubectl(folder, plane.admin());
        kubectl.run(
                "create",
                "-f",
                Path.of("src", "test", "resources", "pod-monitor-kind.yaml").toString());
        kubectl.run("wait", "--for=condition=Established", "crd/podmonitors.monitoring.coreos.com");
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    static Stream<Path> all() {
        return Stream.concat(overlays(), Deploy.EXAMPLES.stream().map(Deploy::example));
    }

    static Stream<Path> overlays() {
        return Deploy.OVERLAYS.stream().map(Deploy::overlay);
    }

    @ParameterizedTest
    @MethodSource("all")
    void standsInTheClusterAsItIsMeant(Path written) {
        var meant = meant(written);

        var first = kubectl.run("apply", "--validate=strict", "-k", written.toString());
        assertThat(first.lines()).hasSameSizeAs(meant).allMatch(line -> line.endsWith(" created"), "created");

        assertThat(meant).isNotEmpty().allSatisfy(object -> assertWithin(object, live(object), name(object)));
        var versions = versions(meant);
        kubectl.run("apply", "--validate=strict", "-k", written.toString());
        assertThat(versions(meant)).isEqualTo(versions);

        kubectl.run("delete", "--wait=false", "-k", written.toString());
    }

    /** With the strictest of Kubernetes' standards for pods, which refuses anything beyond it. */
    @ParameterizedTest
    @MethodSource("overlays")
    void itsPodsNeedNoPrivilege(Path overlay) throws IOException {
        var namespace = "restricted-" + overlay.getFileName();
        kubectl.run("create", "namespace", namespace);
        kubectl.run("label", "namespace", namespace, "pod-security.kubernetes.io/enforce=restricted");
        var pods = meant(overlay).stream()
                .filter(object -> object.path("spec").has("template"))
                .map(workload -> pod(workload, namespace))
                .toList();

        assertThat(pods).hasSize(1).allSatisfy(pod -> kubectl.run("create", "--dry-run=server", "-f", file(pod)));

        var privileged = (ObjectNode) pods.getFirst();
        ((ObjectNode) privileged.at("/spec/securityContext")).remove("runAsNonRoot");
        assertThatThrownBy(() -> kubectl.run("create", "--dry-run=server", "-f", file(privileged)))
                .hasMessageContaining("violates PodSecurity \"restricted:latest\"");
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void everyPortThatIsOpenedIsOneOfTheContainer(Path overlay) {
        var meant = meant(overlay);
        var container = meant.stream()
                .map(object -> object.at("/spec/template/spec/containers/0/ports"))
                .filter(JsonNode::isArray)
                .findFirst()
                .orElseThrow();
        var opened = meant.stream()
                .filter(object -> object.path("kind").asText().equals("NetworkPolicy"))
                .flatMap(policy -> policy.findValuesAsText("port").stream())
                .toList();

        assertThat(opened).hasSameElementsAs(container.findValuesAsText("name"));
    }

    /** Otherwise pods of a scheduler that are deleted at once would wait for themselves. */
    @ParameterizedTest
    @MethodSource("overlays")
    void noPodWaitsForTheSchedulerThatItRuns(Path overlay) {
        var pods = meant(overlay).stream()
                .map(object -> object.at("/spec/template/spec"))
                .filter(JsonNode::isObject)
                .toList();

        assertThat(pods).hasSize(1);
        assertThat(pods.getFirst().path("schedulerName").asText("default-scheduler"))
                .isEqualTo("default-scheduler");
    }

    /** As in the README: in a separate folder that names an overlay and the differences. */
    @ParameterizedTest
    @MethodSource("overlays")
    void nothingStaysBehindWhereAnotherNamespaceIsNamed(Path overlay) throws IOException {
        var namespace = "own-" + overlay.getFileName();
        kubectl.run("create", "namespace", namespace);
        var own = Files.createDirectory(folder.toRealPath().resolve(namespace));
        Files.writeString(own.resolve("kustomization.yaml"), """
            namespace: %s
            resources: [%s]
            components: %s
            images:
            - {name: sluice, newName: registry.example/sluice, newTag: "7"}
            - {name: registry.k8s.io/kube-scheduler, newName: registry.example/kube-scheduler, newTag: "7"}
            """.formatted(
                        namespace, own.relativize(overlay), components(overlay, own)));

        kubectl.run("apply", "--validate=strict", "-k", own.toString());

        var meant = meant(own);
        assertThat(meant)
                .anyMatch(object -> object.path("kind").asText().equals("PodMonitor"))
                .allSatisfy(object -> assertThat(object.findValuesAsText("namespace"))
                        .as(name(object))
                        .allMatch(namespace::equals));
        assertThat(meant.stream().flatMap(object -> object.findValuesAsText("image").stream()))
                .contains("registry.example/sluice:7")
                .allMatch(image -> image.startsWith("registry.example/") && image.endsWith(":7"), "is named");
        kubectl.run("delete", "--wait=false", "-k", own.toString());
    }

    /** It reads files that are root's, of the node alone: Kubernetes' standard against privilege names nothing else. */
    @Test
    void theNodeAgentHasControlGroupsAndNoPrivilege() throws IOException {
        var namespace = "baseline";
        kubectl.run("create", "namespace", namespace);
        kubectl.run("label", "namespace", namespace, "pod-security.kubernetes.io/enforce=baseline");
        var own = Files.createDirectory(folder.toRealPath().resolve("with-node-agent"));
        Files.writeString(own.resolve("kustomization.yaml"), """
            resources: [%s]
            components: [%s, %s]
            """.formatted(
                        own.relativize(Deploy.overlay("all-in-one")),
                        own.relativize(Deploy.component("scaled-pods")),
                        own.relativize(Deploy.component("node-agent"))));
        var meant = meant(own);
        var agent = meant.stream()
                .filter(object -> object.path("kind").asText().equals("DaemonSet"))
                .findFirst()
                .orElseThrow();

        assertThatThrownBy(() -> kubectl.run("create", "--dry-run=server", "-f", file(pod(agent, namespace))))
                .hasMessageContaining(
                        "violates PodSecurity \"baseline:latest\": hostPath volumes (volume \"cgroup\")\n");
        assertThat(agent.at("/spec/template/spec/volumes").findValuesAsText("path"))
                .containsExactly("/sys/fs/cgroup");
        assertThat(agent.at("/spec/template/spec/containers/0/securityContext/capabilities/drop/0")
                        .asText())
                .isEqualTo("ALL");
        // The process with the ledger keeps what the other components gave it, and can be joined.
        assertThat(meant.stream()
                        .filter(object -> object.path("kind").asText().equals("Deployment"))
                        .flatMap(object -> object.at("/spec/template/spec/containers/0/env")
                                .valueStream())
                        .map(variable -> variable.path("name").asText()))
                .contains("SLUICE_ROLES", "SLUICE_HAZELCAST_JOIN", "SLUICE_HAZELCAST_HOST");
        kubectl.run("apply", "--validate=strict", "-k", own.toString());
        kubectl.run("delete", "--wait=false", "-k", own.toString());
    }

    /** Another namespace is named in the folder below, as the component says. */
    @Test
    void instancesHaveANamespaceOfTheirOwnWhereverSluiceIs() throws IOException {
        kubectl.run("create", "namespace", "elsewhere");
        var real = folder.toRealPath();
        var moved = Files.createDirectory(real.resolve("moved"));
        Files.writeString(
                moved.resolve("kustomization.yaml"), """
                    namespace: elsewhere
                    resources: [%s]
                    """.formatted(moved.relativize(Deploy.overlay("all-in-one"))));
        var own = Files.createDirectory(real.resolve("with-instances"));
        Files.writeString(
                own.resolve("kustomization.yaml"), """
                    resources: [../moved]
                    components: [%s]
                    """.formatted(own.relativize(Deploy.component("instances"))));

        kubectl.run("apply", "--validate=strict", "-k", own.toString());

        var account = "--as=system:serviceaccount:elsewhere:sluice";
        assertThat(kubectl.run("auth", "can-i", "create", "pods", account, "--namespace=sluice-instances"))
                .startsWith("yes");
        assertThatThrownBy(() -> kubectl.run("auth", "can-i", "create", "pods", account, "--namespace=elsewhere"))
                .hasMessageEndingWith("no\n");
        assertThat(kubectl.objects("get", "persistentvolumeclaims", "--namespace=elsewhere"))
                .hasSize(1);
        kubectl.run("delete", "--wait=false", "-k", own.toString());
    }

    /** The paths of all components that are made for the overlay. */
    private static List<Path> components(Path overlay, Path own) {
        return Stream.of(
                        "pod-monitor",
                        "identity",
                        "mirrored-requests",
                        "service-discovery",
                        "own-scheduler",
                        "scaled-pods",
                        "evict-scaled-pods",
                        "node-agent")
                .filter(name -> overlay.endsWith("agent") || !name.equals("service-discovery"))
                .filter(name -> overlay.endsWith("scheduler") || !name.equals("own-scheduler"))
                .filter(name ->
                        overlay.endsWith("all-in-one") || !name.endsWith("scaled-pods") && !name.equals("node-agent"))
                .map(name -> own.relativize(Deploy.component(name)))
                .toList();
    }

    /** The intended objects, before defaults are added. */
    private static List<JsonNode> meant(Path written) {
        return kubectl.objects("create", "--dry-run=client", "--validate=false", "-k", written.toString());
    }

    private static List<String> versions(List<JsonNode> meant) {
        return meant.stream()
                .map(object -> name(object) + " at " + live(object).at("/metadata/resourceVersion"))
                .toList();
    }

    private static JsonNode live(JsonNode meant) {
        var metadata = meant.path("metadata");
        return kubectl.objects(
                        "get",
                        meant.path("kind").asText() + "." + group(meant),
                        metadata.path("name").asText(),
                        "--namespace=" + metadata.path("namespace").asText("default"))
                .getFirst();
    }

    /** The group and version as kubectl names them. */
    private static String group(JsonNode object) {
        var parts = object.path("apiVersion").asText().split("/");
        return parts.length == 1 ? parts[0] + "." : parts[1] + "." + parts[0];
    }

    private static String name(JsonNode object) {
        return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
    }

    /** Checks that all intended fields exist; others may have defaults. */
    private static void assertWithin(JsonNode meant, JsonNode live, String where) {
        if (meant.isObject()) {
            meant.properties()
                    .forEach(field ->
                            assertWithin(field.getValue(), live.path(field.getKey()), where + "." + field.getKey()));
        } else if (meant.isArray()) {
            assertThat(live).as(where).hasSize(meant.size());
            for (int i = 0; i < meant.size(); i++) {
                assertWithin(meant.get(i), live.path(i), where + "[" + i + "]");
            }
        } else {
            assertThat(live).as(where).isEqualTo(meant);
        }
    }

    private static JsonNode pod(JsonNode workload, String namespace) {
        var pod = MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.setAll((ObjectNode) workload.at("/spec/template").deepCopy());
        ((ObjectNode) pod.path("metadata"))
                .put("name", workload.at("/metadata/name").asText())
                .put("namespace", namespace);
        return pod;
    }

    private static String file(JsonNode object) {
        try {
            return Files.writeString(Files.createTempFile(folder, "object", ".json"), object.toString())
                    .toString();
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
