package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.neonvm.api.KubernetesConnection;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an agent gets permits for pods of its own node, by the token that Kubernetes gave to its pod, and no other
 * client gets any. Method: the distribution's scheduler side, tokens that a real API server makes and reviews, a VM's
 * pod on each of two nodes.
 */
@OnKubernetes
class AgentIdentityOnKubernetesTest {
    private static final Duration READY_MAX = Duration.ofSeconds(120);
    private static final String AUDIENCE = "sluice";
    private static final String AGENT = "sluice-agent";
    private static final String POD = "Pod";

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static ServiceAccountTokens tokens;
    private static ReviewingScheduler scheduler;
    private static String onN1;

    @BeforeAll
    static void start() throws IOException {
        assumeThat(Deploy.program())
                .as("the distribution, which mvn package makes")
                .exists();
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        client = KubernetesConnection.open(plane.admin());
        tokens = new ServiceAccountTokens(client);
        await().atMost(READY_MAX).ignoreExceptions().until(() -> client.raw("/api/v1/namespaces/kube-system") != null);
        for (var account : List.of(AGENT, "other")) {
            create("/api/v1/namespaces/kube-system/serviceaccounts", """
                {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"%s"}}\
                """.formatted(account));
        }
        for (var node : List.of("n1", "n2")) {
            node(node);
            pod("agent-" + node, AGENT, node);
            vm("db-" + node, node);
        }
        pod("other-n1", "other", "n1");
        onN1 = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1");
        scheduler = new ReviewingScheduler(folder, plane.admin(), List.of("gateway.agent.tokenReview.enabled=true"));
        await().atMost(READY_MAX)
                .ignoreExceptions()
                .failFast(() -> !scheduler.isAlive())
                .until(() -> scheduler.request(onN1, "db-n1-0").statusCode() == 200);
    }

    @AfterAll
    static void stop() {
        if (scheduler != null) {
            scheduler.close();
        }
        if (client != null) {
            client.close();
        }
        if (plane != null) {
            plane.close();
        }
    }

    @Test
    void anAgentRequestsForPodsOfItsNodeAlone() throws Exception {
        assertThat(request(onN1, "db-n1-0").body()).startsWith("{\"permit\":");
        var other = request(onN1, "db-n2-0");
        assertThat(other.statusCode()).isEqualTo(403);
        assertThat(other.body())
                .isEqualTo("the agent on node n1 may not request permits for pod default/db-n2-0 on node n2");
        var onN2 = tokens.bound(AGENT, AUDIENCE, POD, "agent-n2");
        assertThat(request(onN2, "db-n1-0").statusCode()).isEqualTo(403);
        assertThat(request(onN2, "db-n2-0").body()).startsWith("{\"permit\":");
    }

    @Test
    void aTokenThatIsMadeForANodeCountsAsOneOfAPodThere() throws Exception {
        var token = tokens.bound(AGENT, AUDIENCE, "Node", "n2");
        assertThat(request(token, "db-n2-0").statusCode()).isEqualTo(200);
        assertThat(request(token, "db-n1-0").statusCode()).isEqualTo(403);
    }

    @Test
    void noOtherClientIsLetIn() throws Exception {
        refused(request("", "db-n1-0"), 401, "requires a token");
        refused(request("a-word-and-no-token", "db-n1-0"), 401, "rejects this token");
        var elsewhere = tokens.bound(AGENT, "https://kubernetes.default.svc", POD, "agent-n1");
        refused(request(elsewhere, "db-n1-0"), 401, "rejects this token for the audience sluice");
        var other = tokens.bound("other", AUDIENCE, POD, "other-n1");
        refused(request(other, "db-n1-0"), 403, "system:serviceaccount:kube-system:other is no agent");
        var unbound = tokens.unbound(AGENT, AUDIENCE);
        refused(request(unbound, "db-n1-0"), 403, "this token names no node");
    }

    @Test
    void aTokenThatHasEndedIsNoGood() throws Exception {
        var asItIs = tokens.forged(onN1, plane.signingKey(), claims -> {});
        assertThat(request(asItIs, "db-n1-0").statusCode()).isEqualTo(200);
        var ended = tokens.forged(
                onN1,
                plane.signingKey(),
                claims -> claims.put("exp", Instant.now().getEpochSecond() - 60));
        refused(request(ended, "db-n1-0"), 401, "rejects this token");
    }

    @Test
    void theTokenOfAPodThatIsGoneIsNoGood() throws Exception {
        pod("agent-n1-old", AGENT, "n1");
        var before = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1-old");
        var after = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1-old");
        assertThat(request(before, "db-n1-0").statusCode()).isEqualTo(200);
        client.pods()
                .inNamespace("kube-system")
                .withName("agent-n1-old")
                .withGracePeriod(0)
                .delete();
        // The API server's token review may find the pod for a little longer, and its result is cached.
        await().atMost(READY_MAX)
                .until(
                        () -> request(sealedAnew(after), "db-n1-0"),
                        answer -> answer.statusCode() == 401 && answer.body().contains("rejects this token"));
    }

    @Test
    void withoutTheApiServerOnlyKnownTokensAreServed() throws Exception {
        var unknown = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1");
        var known = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1");
        assertThat(request(known, "db-n1-0").statusCode()).isEqualTo(200);
        plane.killApiServer();
        try {
            var answer = scheduler.request(unknown, "db-n1-0");
            refused(answer, 503, "the API server could not review this token");
            assertThat(answer.headers().firstValue("retry-after")).contains("1");
            assertThat(scheduler.request(known, "db-n1-0").statusCode()).isEqualTo(200);
            assertThat(scheduler.request(known, "db-n2-0").statusCode()).isEqualTo(403);
        } finally {
            plane.startApiServer();
        }
        await().atMost(READY_MAX)
                .until(() -> scheduler.request(unknown, "db-n1-0").statusCode() == 200);
    }

    @Test
    void nothingOfATokenIsReported() throws Exception {
        request(tokens.bound("other", AUDIENCE, POD, "other-n1"), "db-n1-0");
        assertThat(tokens.isReportedIn("x" + onN1)).isTrue();
        assertThat(scheduler.log()).contains("was refused").matches(log -> !tokens.isReportedIn(log));
        assertThat(scheduler.look("/dump")).contains("db-n1").matches(dump -> !tokens.isReportedIn(dump));
    }

    /** Sends a request as agents do: it is repeated if the API server was too slow to review the token. */
    private static HttpResponse<String> request(String token, String pod) {
        return await().atMost(READY_MAX)
                .pollDelay(Duration.ZERO)
                .until(() -> scheduler.request(token, pod), answer -> answer.statusCode() != 503);
    }

    /** A token with the same claims that was not reviewed yet. */
    private static String sealedAnew(String token) {
        return tokens.forged(
                token,
                plane.signingKey(),
                claims -> claims.put("jti", UUID.randomUUID().toString()));
    }

    private static void refused(HttpResponse<String> answer, int status, String words) {
        assertThat(answer.body()).contains(words);
        assertThat(answer.statusCode()).isEqualTo(status);
    }

    private static void node(String name) {
        create("/api/v1/nodes", """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},
             "status":{"allocatable":{"cpu":"8","memory":"32Gi","pods":"110"},
                       "capacity":{"cpu":"8","memory":"32Gi","pods":"110"},
                       "conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name));
    }

    private static void pod(String name, String account, String node) {
        create("/api/v1/namespaces/kube-system/pods", """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
             "spec":{"serviceAccountName":"%s","nodeName":"%s","containers":[{"name":"main","image":"none"}]}}\
            """.formatted(name, account, node));
    }

    private static void vm(String name, String node) {
        create("/api/v1/namespaces/default/pods", """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%1$s-0","labels":{"vm.neon.tech/name":"%1$s"},
               "annotations":{"vm.neon.tech/usage":"{\\"cpu\\":\\"250m\\",\\"memory\\":\\"1Gi\\"}"}},
             "spec":{"nodeName":"%2$s","containers":[{"name":"main","image":"none"}]}}\
            """.formatted(name, node));
        var path = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";
        var made = create(path, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine",
             "metadata":{"name":"%s","labels":{"autoscaling.neon.tech/enabled":"true"}},
             "spec":{"schedulerName":"autoscale-scheduler","guest":{
               "cpus":{"min":"250m","max":4,"use":"250m"},
               "memorySlots":{"min":1,"max":16,"use":1},"memorySlotSize":"1Gi"}}}\
            """.formatted(name));
        var status = """
            {"phase":"Running","podName":"%s-0","podIP":"10.0.0.1","node":"%s","cpus":"250m","memorySize":"1Gi"}\
            """.formatted(name, node);
        client.raw(
                path + "/" + name + "/status",
                "PUT",
                made.substring(0, made.lastIndexOf('}')) + ",\"status\":" + status + "}");
    }

    private static String create(String path, String object) {
        return client.raw(path, "POST", object);
    }
}
