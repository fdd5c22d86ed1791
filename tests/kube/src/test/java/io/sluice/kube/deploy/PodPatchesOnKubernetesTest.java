package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.ScaledPodKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: with the component {@code scaled-pods}, Sluice's token changes nothing of a pod but its size and its own
 * annotations, as each kubelet that is scraped gets that token. Method: the policy as it is deployed, and tokens that a
 * real API server makes.
 */
@OnKubernetes
class PodPatchesOnKubernetesTest {
    private static final Duration READY_MAX = Duration.ofSeconds(120);
    private static final String OURS = "sluice";
    private static final String OTHER = "other";
    private static final String POD = "web";

    @TempDir
    private static Path folder;

    private static final List<KubernetesClient> CLIENTS = new ArrayList<>();
    private static ControlPlane plane;
    private static KubernetesClient admin;
    private static KubernetesClient ours;
    private static KubernetesClient other;

    @BeforeAll
    static void start() throws IOException {
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        admin = client(plane.admin());
        await().atMost(READY_MAX).ignoreExceptions().until(() -> admin.raw("/api/v1/namespaces/kube-system") != null);
        var kubectl = new Kubectl(folder, plane.admin());
        kubectl.run("create", "clusterrole", "pods", "--verb=get,patch", "--resource=pods,pods/resize,pods/status");
        for (var account : List.of(OURS, OTHER)) {
            kubectl.run("create", "serviceaccount", account, "--namespace=kube-system");
            kubectl.run(
                    "create",
                    "clusterrolebinding",
                    account,
                    "--clusterrole=pods",
                    "--serviceaccount=kube-system:" + account);
        }
        kubectl.run(
                "apply",
                "--validate=strict",
                "-f",
                Deploy.component("scaled-pods").resolve("admission-policy.yaml").toString());
        admin.raw("/api/v1/namespaces/default/serviceaccounts", "POST", """
            {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}\
            """);
        admin.raw("/api/v1/namespaces/default/pods", "POST", """
            {"apiVersion":"v1","kind":"Pod",
             "metadata":{"name":"web","labels":{"team":"a"},"annotations":{"note":"x"}},
             "spec":{"containers":[{"name":"main","image":"none",
               "resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2"}}}]}}\
            """);
        var tokens = new ServiceAccountTokens(admin);
        ours = client(by(OURS, tokens.unbound(OURS, "https://kubernetes.default.svc")));
        other = client(by(OTHER, tokens.unbound(OTHER, "https://kubernetes.default.svc")));
        // The API server applies a new policy a little later. A patch that changes nothing passes.
        await().atMost(READY_MAX).until(() -> status(ours, annotation("by", "at-" + System.nanoTime())) == 403);
    }

    @AfterAll
    static void stop() {
        CLIENTS.forEach(KubernetesClient::close);
        if (plane != null) {
            plane.close();
        }
    }

    @Test
    void itsOwnAnnotationsAndSizesPass() {
        patch(ours, annotation(ScaledPodKeys.FENCE, "r+1/0"));
        patch(ours, annotation(ScaledPodKeys.FENCE, "r+1/1"));
        patch(
                ours,
                "[{\"op\":\"remove\",\"path\":\"/metadata/annotations/%s\"}]".formatted(escaped(ScaledPodKeys.FENCE)));
        pod(ours)
                .subresource("resize")
                .patch(
                        PatchContext.of(PatchType.JSON),
                        "[{\"op\":\"replace\",\"path\":\"/spec/containers/0/resources/requests/cpu\",\"value\":\"1500m\"}]");
        assertThat(admin.raw("/api/v1/namespaces/default/pods/web")).contains("\"cpu\":\"1500m\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replace | /spec/containers/0/image | \"mine\"",
                "add | /spec/activeDeadlineSeconds | 1",
                "add | /spec/tolerations/- | {\"operator\":\"Exists\"}",
                "add | /metadata/labels/app | \"x\"",
                "remove | /metadata/labels/team |",
                "add | /metadata/finalizers | [\"stay.example/forever\"]",
                "replace | /metadata/annotations/note | \"y\"",
                "remove | /metadata/annotations/note |",
            })
    void whatElseStandsInAPodIsRefused(String op, String path, String value) {
        var patch =
                "[{\"op\":\"%s\",\"path\":\"%s\"%s}]".formatted(op, path, value == null ? "" : ",\"value\":" + value);
        assertThat(catchThrowableOfType(KubernetesClientException.class, () -> patch(ours, patch)))
                .hasMessageContaining(
                        "sluice may change the annotations internal.autoscaling.sluice.io/* of pod default/web")
                .extracting(KubernetesClientException::getCode)
                .isEqualTo(403);
    }

    @Test
    void othersChangeWhatTheyMay() {
        patch(other, annotation("by", "other"));
        patch(admin, annotation("by", "admin"));
    }

    private static String annotation(String key, String value) {
        return "[{\"op\":\"add\",\"path\":\"/metadata/annotations/%s\",\"value\":\"%s\"}]"
                .formatted(escaped(key), value);
    }

    private static String escaped(String key) {
        return key.replace("/", "~1");
    }

    private static int status(KubernetesClient by, String patch) {
        try {
            patch(by, patch);
            return 200;
        } catch (KubernetesClientException refused) {
            return refused.getCode();
        }
    }

    private static void patch(KubernetesClient by, String patch) {
        pod(by).patch(PatchContext.of(PatchType.JSON), patch);
    }

    private static Resource<GenericKubernetesResource> pod(KubernetesClient by) {
        return by.genericKubernetesResources(ResourceDefinitionContext.fromResourceType(Pod.class))
                .inNamespace("default")
                .withName(POD);
    }

    private static KubernetesClient client(KubernetesConfig config) {
        var client = KubernetesConnection.open(config);
        CLIENTS.add(client);
        return client;
    }

    private static KubernetesConfig by(String name, String token) throws IOException {
        return plane.by(Files.writeString(folder.resolve(name + ".token"), token));
    }
}
