package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.neonvm.KubernetesConnection;
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
 * Goal: an agent gets permits for pods of its own node, by the token that Kubernetes gave to its pod, and nobody else
 * gets any. Method: the distribution's scheduler side, tokens that a real API server makes and reviews, a VM's pod on
 * each of two nodes.
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
        scheduler = new ReviewingScheduler(folder, plane.admin(), List.of("gateway.agent.tokenReview.on=true"));
        await().atMost(READY_MAX)
                .ignoreExceptions()
                .failFast(() -> !scheduler.isAlive())
                .until(() -> scheduler.ask(onN1, "db-n1-0").statusCode() == 200);
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
    void anAgentAsksForPodsOfItsNodeAlone() throws Exception {
        assertThat(ask(onN1, "db-n1-0").body()).startsWith("{\"permit\":");
        var other = ask(onN1, "db-n2-0");
        assertThat(other.statusCode()).isEqualTo(403);
        assertThat(other.body()).isEqualTo("an agent on node n1 may not ask for pod default/db-n2-0 on node n2");
        var onN2 = tokens.bound(AGENT, AUDIENCE, POD, "agent-n2");
        assertThat(ask(onN2, "db-n1-0").statusCode()).isEqualTo(403);
        assertThat(ask(onN2, "db-n2-0").body()).startsWith("{\"permit\":");
    }

    @Test
    void aTokenThatIsMadeForANodeCountsAsOneOfAPodThere() throws Exception {
        var token = tokens.bound(AGENT, AUDIENCE, "Node", "n2");
        assertThat(ask(token, "db-n2-0").statusCode()).isEqualTo(200);
        assertThat(ask(token, "db-n1-0").statusCode()).isEqualTo(403);
    }

    @Test
    void nobodyElseIsLetIn() throws Exception {
        refused(ask("", "db-n1-0"), 401, "asks for a token");
        refused(ask("a-word-and-no-token", "db-n1-0"), 401, "knows no such token");
        var elsewhere = tokens.bound(AGENT, "https://kubernetes.default.svc", POD, "agent-n1");
        refused(ask(elsewhere, "db-n1-0"), 401, "knows no such token for the audience sluice");
        var other = tokens.bound("other", AUDIENCE, POD, "other-n1");
        refused(ask(other, "db-n1-0"), 403, "system:serviceaccount:kube-system:other is no agent");
        var unbound = tokens.unbound(AGENT, AUDIENCE);
        refused(ask(unbound, "db-n1-0"), 403, "this token names no node");
    }

    @Test
    void aTokenThatHasEndedIsNoGood() throws Exception {
        var asItIs = tokens.forged(onN1, plane.signingKey(), claims -> {});
        assertThat(ask(asItIs, "db-n1-0").statusCode()).isEqualTo(200);
        var ended = tokens.forged(
                onN1,
                plane.signingKey(),
                claims -> claims.put("exp", Instant.now().getEpochSecond() - 60));
        refused(ask(ended, "db-n1-0"), 401, "knows no such token");
    }

    @Test
    void theTokenOfAPodThatIsGoneIsNoGood() throws Exception {
        pod("agent-n1-old", AGENT, "n1");
        var before = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1-old");
        var after = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1-old");
        assertThat(ask(before, "db-n1-0").statusCode()).isEqualTo(200);
        client.pods()
                .inNamespace("kube-system")
                .withName("agent-n1-old")
                .withGracePeriod(0)
                .delete();
        // What it reads tokens by may know of the pod for a little longer; what it said of a token is kept.
        await().atMost(READY_MAX)
                .until(
                        () -> ask(sealedAnew(after), "db-n1-0"),
                        answer -> answer.statusCode() == 401 && answer.body().contains("knows no such token"));
    }

    @Test
    void withoutTheApiServerOnlyWhoIsKnownIsServed() throws Exception {
        var unknown = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1");
        var known = tokens.bound(AGENT, AUDIENCE, POD, "agent-n1");
        assertThat(ask(known, "db-n1-0").statusCode()).isEqualTo(200);
        plane.killApiServer();
        try {
            var answer = scheduler.ask(unknown, "db-n1-0");
            refused(answer, 503, "the API server could not be asked whose this token is");
            assertThat(answer.headers().firstValue("retry-after")).contains("1");
            assertThat(scheduler.ask(known, "db-n1-0").statusCode()).isEqualTo(200);
            assertThat(scheduler.ask(known, "db-n2-0").statusCode()).isEqualTo(403);
        } finally {
            plane.startApiServer();
        }
        await().atMost(READY_MAX).until(() -> scheduler.ask(unknown, "db-n1-0").statusCode() == 200);
    }

    @Test
    void nothingOfATokenIsToldToAnybody() throws Exception {
        ask(tokens.bound("other", AUDIENCE, POD, "other-n1"), "db-n1-0");
        assertThat(tokens.isToldIn("x" + onN1)).isTrue();
        assertThat(scheduler.log()).contains("turned away").matches(log -> !tokens.isToldIn(log));
        assertThat(scheduler.look("/dump")).contains("db-n1").matches(dump -> !tokens.isToldIn(dump));
    }

    /** As agents do: asked again where the API server was too slow to say whose the token is. */
    private static HttpResponse<String> ask(String token, String pod) {
        return await().atMost(READY_MAX)
                .pollDelay(Duration.ZERO)
                .until(() -> scheduler.ask(token, pod), answer -> answer.statusCode() != 503);
    }

    /** The same claims in a token that nobody has seen yet. */
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
