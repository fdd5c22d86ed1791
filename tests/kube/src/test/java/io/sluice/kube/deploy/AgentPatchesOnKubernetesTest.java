package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.core.Approvals;
import io.sluice.neonvm.core.objects.VmPatches;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.neonvm.core.objects.VmSizeReader;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: with the admission policy of the component {@code identity}, an agent's token changes only VMs of its own node,
 * and of them only what an agent writes. Method: the policy and the agents' rights as they are deployed, tokens that a
 * real API server makes for pods on two nodes, and the patches that the driver makes.
 */
@OnKubernetes
class AgentPatchesOnKubernetesTest {
    private static final Duration READY_MAX = Duration.ofSeconds(120);
    private static final String AGENT = "sluice-agent";
    private static final String OTHER = "other";
    private static final String AUDIENCE = "https://kubernetes.default.svc";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static final List<KubernetesClient> CLIENTS = new ArrayList<>();
    private static ControlPlane plane;
    private static KubernetesClient admin;
    private static KubernetesClient onN1;
    private static KubernetesClient onNoNode;
    private static KubernetesClient other;

    @BeforeAll
    static void start() throws IOException {
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        admin = client(plane.admin());
        await().atMost(READY_MAX).ignoreExceptions().until(() -> admin.raw("/api/v1/namespaces/kube-system") != null);
        var kubectl = new Kubectl(folder, plane.admin());
        kubectl.run("apply", "-f", Deploy.overlay("agent").resolve("rbac.yaml").toString());
        kubectl.run("create", "serviceaccount", OTHER, "--namespace=kube-system");
        kubectl.run(
                "create",
                "clusterrolebinding",
                OTHER,
                "--clusterrole=" + AGENT,
                "--serviceaccount=kube-system:" + OTHER);
        kubectl.run(
                "apply",
                "--validate=strict",
                "-f",
                Deploy.component("identity").resolve("admission-policy.yaml").toString());
        for (var node : List.of("n1", "n2")) {
            admin.raw("/api/v1/nodes", "POST", """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"}}\
                """.formatted(node));
            vm("db-" + node, node);
        }
        vm("nowhere", "");
        permitChangedBounds(kubectl);
        pod("agent-n1", AGENT);
        pod("other-n1", OTHER);
        var tokens = new ServiceAccountTokens(admin);
        onN1 = client(by("n1", tokens.bound(AGENT, AUDIENCE, "Pod", "agent-n1")));
        onNoNode = client(by("unbound", tokens.unbound(AGENT, AUDIENCE)));
        other = client(by("other", tokens.bound(OTHER, AUDIENCE, "Pod", "other-n1")));
        // The API server applies a new policy a little later.
        await().atMost(READY_MAX).until(() -> status(onN1, "db-n2", label()) == 403);
    }

    @AfterAll
    static void stop() {
        CLIENTS.forEach(KubernetesClient::close);
        if (plane != null) {
            plane.close();
        }
    }

    @Test
    void whatTheDriverWritesToAVmOfItsNodePasses() throws Exception {
        var before = read("db-n1");
        patch(onN1, "db-n1", VmPatches.claim(before, "r/0"));
        var size = new PatchVm(
                VmReader.id(before),
                "db-n1-0",
                new Resources(500, 2L << 30),
                new Revision(1, 1),
                "r/0",
                "r/1",
                Duration.ofSeconds(5));
        patch(onN1, "db-n1", VmPatches.resize(size, Optional.empty(), VmSizeReader.slot(before), Instant.now()));
        var amounts = new Approvals.Amounts(
                Optional.of(new Resources(250, 1L << 30)),
                Optional.of(new Resources(500, 2L << 30)),
                new Resources(500, 2L << 30));
        vm(onN1, "db-n1")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        VmPatches.approved(before.at("/metadata/uid").asText(), amounts));

        var after = read("db-n1");
        assertThat(after.at("/spec/guest/cpus/use").asText()).isEqualTo("500m");
        assertThat(after.at("/spec/guest/memorySlots/use").asInt()).isEqualTo(2);
        assertThat(after.at("/spec/targetRevision/revision/value").asLong()).isEqualTo(1);
        assertThat(after.at("/metadata/annotations/internal.autoscaling.sluice.io~1fence")
                        .asText())
                .isEqualTo("r/1");
        assertThat(after.at("/metadata/annotations/internal.autoscaling.neon.tech~1resources-approved")
                        .asText())
                .contains("500m");
    }

    @Test
    void aVmOfAnotherNodeIsRefused() throws Exception {
        refused(
                onN1,
                "db-n2",
                VmPatches.claim(read("db-n2"), "thief/0"),
                "an agent on node n1 may not change VM default/db-n2 on node n2");
        refused(
                onN1,
                "nowhere",
                VmPatches.claim(read("nowhere"), "thief/0"),
                "an agent on node n1 may not change VM default/nowhere on no node");
    }

    @Test
    void aTokenThatNamesNoNodeChangesNothing() throws Exception {
        refused(
                onNoNode,
                "db-n1",
                VmPatches.claim(read("db-n1"), "thief/0"),
                "an agent whose token names no node may not change VM default/db-n1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "add | /metadata/labels/more | \"x\"",
                "remove | /metadata/labels/team |",
                "add | /metadata/finalizers | [\"stay.example/forever\"]",
                "add | /metadata/ownerReferences |"
                        + " [{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\",\"uid\":\"u\"}]",
                "add | /metadata/annotations/autoscaling.neon.tech~1bounds | \"{}\"",
                "replace | /metadata/annotations/note | \"y\"",
                "remove | /metadata/annotations/note |",
                "add | /spec/schedulerName | \"another\"",
                "add | /spec/overcommit | {\"cpu\":\"2\"}",
                "add | /spec/nodeSelector | {\"kubernetes.io/hostname\":\"n2\"}",
                "remove | /spec/schedulerName |",
                "add | /spec/guest/memorySlotSize | \"512Mi\"",
                "add | /spec/guest/rootDisk | {\"image\":\"mine\"}",
                "remove | /spec/guest/env |",
            })
    void whatElseStandsInItsOwnVmIsRefused(String op, String path, String value) throws Exception {
        var patch =
                "[{\"op\":\"%s\",\"path\":\"%s\"%s}]".formatted(op, path, value == null ? "" : ",\"value\":" + value);

        refused(
                onN1,
                "db-n1",
                patch,
                "an agent may change nothing of VM default/db-n1 on node n1 but spec.guest.cpus.use,");
    }

    @ParameterizedTest
    @CsvSource({
        "/spec/guest/cpus/min, 200m",
        "/spec/guest/cpus/max, 8",
        "/spec/guest/memorySlots/max, 32",
        "/spec/guest/memorySlots/min, 2"
    })
    void boundsOfItsOwnVmAreRefused(String path, String value) throws Exception {
        refused(onN1, "db-n1", bound(path, value), "an agent may change nothing of VM default/db-n1 on node n1 but");
    }

    @Test
    void othersChangeWhatTheyMay() {
        patch(other, "db-n2", label());
        patch(admin, "db-n2", label());
        patch(admin, "nowhere", label());
    }

    /**
     * Drops NeonVM's own rules that bounds are immutable. The API server checks them before the policy, which must hold
     * for releases of NeonVM without them.
     */
    private static void permitChangedBounds(Kubectl kubectl) {
        var guest = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/guest/properties/";
        kubectl.run(
                "patch", "customresourcedefinition", "virtualmachines.vm.neon.tech", "--type=json", "-p", """
                    [{"op":"remove","path":"%1$scpus/x-kubernetes-validations/1"},
                     {"op":"remove","path":"%1$smemorySlots/x-kubernetes-validations/1"}]\
                    """.formatted(
                                guest));
        // The API server serves the changed kind a little later.
        await().atMost(READY_MAX)
                .until(() -> status(admin, "db-n2", bound("/spec/guest/cpus/max", "5")) == 200
                        && status(admin, "db-n2", bound("/spec/guest/memorySlots/max", "17")) == 200);
    }

    private static String bound(String path, String value) {
        var json = value.endsWith("m") ? '"' + value + '"' : value;
        return "[{\"op\":\"replace\",\"path\":\"%s\",\"value\":%s}]".formatted(path, json);
    }

    private static String label() {
        return "[{\"op\":\"add\",\"path\":\"/metadata/labels/by\",\"value\":\"somebody\"}]";
    }

    private static void refused(KubernetesClient by, String vm, String patch, String words) throws IOException {
        var before = read(vm);

        var failure = catchThrowableOfType(KubernetesClientException.class, () -> patch(by, vm, patch));

        assertThat(failure).hasMessageContaining(words);
        assertThat(failure.getCode()).isEqualTo(403);
        assertThat(read(vm)).isEqualTo(before);
    }

    private static int status(KubernetesClient by, String vm, String patch) {
        try {
            patch(by, vm, patch);
            return 200;
        } catch (KubernetesClientException refused) {
            return refused.getCode();
        }
    }

    private static void patch(KubernetesClient by, String vm, String patch) {
        vm(by, vm).patch(PatchContext.of(PatchType.JSON), patch);
    }

    private static JsonNode read(String vm) throws IOException {
        return JSON.readTree(admin.raw("/apis/vm.neon.tech/v1/namespaces/default/virtualmachines/" + vm));
    }

    private static Resource<GenericKubernetesResource> vm(KubernetesClient by, String name) {
        return by.genericKubernetesResources("vm.neon.tech/v1", "VirtualMachine")
                .inNamespace("default")
                .withName(name);
    }

    private static KubernetesClient client(KubernetesConfig config) {
        var client = KubernetesConnection.open(config);
        CLIENTS.add(client);
        return client;
    }

    private static KubernetesConfig by(String name, String token) throws IOException {
        return plane.by(Files.writeString(folder.resolve(name + ".token"), token));
    }

    private static void pod(String name, String account) {
        admin.raw("/api/v1/namespaces/kube-system/pods", "POST", """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
             "spec":{"serviceAccountName":"%s","nodeName":"n1","containers":[{"name":"main","image":"none"}]}}\
            """.formatted(name, account));
    }

    private static void vm(String name, String node) {
        var path = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";
        var made = admin.raw(path, "POST", """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine",
             "metadata":{"name":"%s","labels":{"autoscaling.neon.tech/enabled":"true","team":"a"},
               "annotations":{"note":"x"}},
             "spec":{"schedulerName":"autoscale-scheduler","guest":{
               "cpus":{"min":"250m","max":4,"use":"250m"},"env":[{"name":"a","value":"b"}],
               "memorySlots":{"min":1,"max":16,"use":2},"memorySlotSize":"1Gi"}}}\
            """.formatted(name));
        var status = node.isEmpty() ? "{\"phase\":\"Pending\"}" : """
            {"phase":"Running","podName":"%s-0","podIP":"10.0.0.1","node":"%s","cpus":"250m","memorySize":"2Gi"}\
            """.formatted(name, node);
        admin.raw(
                path + "/" + name + "/status",
                "PUT",
                made.substring(0, made.lastIndexOf('}')) + ",\"status\":" + status + "}");
    }
}
