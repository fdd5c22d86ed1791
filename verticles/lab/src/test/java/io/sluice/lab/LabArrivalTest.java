package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.api.RawApi;
import io.sluice.lab.core.LabArrival;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabVm;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A VM that arrives while the lab runs, before an extender that replies what a test sets. */
@ExtendWith(VertxExtension.class)
class LabArrivalTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final String POD = LabPaths.pod("late-0");

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile boolean full;
    private volatile int bindsFailing;
    private LabVerticle lab;
    private RawApi raw;

    @BeforeEach
    void start(Vertx vertx) {
        int port = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> extend(request, body.toJsonObject())))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        var times = new LabConfig.MigrationTimes(SHORT, SHORT, SHORT, SHORT);
        var config = new LabConfig(
                        LabCluster.OWN,
                        "127.0.0.1",
                        0,
                        Duration.ofMinutes(1),
                        1,
                        SHORT,
                        SHORT,
                        Duration.ofDays(1),
                        times)
                .placedThrough("http://127.0.0.1:" + port);
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        var nodes = List.of(
                new LabNode("node-a", LabStage.units(40), List.of(), Resources.NONE),
                new LabNode("node-b", LabStage.units(40), List.of(), Resources.NONE));
        var late = new LabVm("late", "rds_cpu_utilization_e47b3b", Duration.ZERO, 4, false, List.of());
        lab = new LabVerticle(config, shell, nodes, List.of(new LabArrival(SHORT, late)));
        full = true;
        vertx.deployVerticle(lab).await();
        raw = new RawApi(KubernetesConnection.open(KubernetesConfig.DEFAULTS.at(lab.apiUrl())));
    }

    private void extend(HttpServerRequest request, JsonObject args) {
        calls.add(request.path().substring(1));
        var reply = switch (request.path()) {
            case "/filter" -> filtered(args.getJsonArray("NodeNames"));
            case "/prioritize" ->
                new JsonArray()
                        .add(new JsonObject().put("Host", "node-a").put("Score", 4))
                        .add(new JsonObject().put("Host", "node-b").put("Score", 7));
            default -> bound(args);
        };
        request.response().end(reply.toString());
    }

    private JsonObject filtered(JsonArray nodes) {
        var failed = new JsonObject();
        nodes.forEach(node -> failed.put((String) node, "full"));
        return new JsonObject()
                .put("NodeNames", full ? new JsonArray() : nodes)
                .put("FailedAndUnresolvableNodes", full ? failed : new JsonObject())
                .put("Error", "");
    }

    private JsonObject bound(JsonObject args) {
        if (bindsFailing-- > 0) {
            return new JsonObject().put("Error", "no room");
        }
        var binding = "{\"metadata\":{\"name\":\"%s\"},\"target\":{\"name\":\"%s\"}}"
                .formatted(args.getString("PodName"), args.getString("Node"));
        // Not on the event loop, on which the lab's API replies.
        Thread.ofVirtual().start(() -> raw.post(POD + "/binding", binding));
        return new JsonObject().put("Error", "");
    }

    private void annotated() {
        raw.patch(POD + "/status", "application/merge-patch+json", """
            {"metadata":{"annotations":{"woken":"now"}}}\
            """);
    }

    private void awaitNoNode() {
        await().untilAsserted(() -> assertThat(
                        raw.get(POD).body().at("/status/conditions/0/message").asText())
                .isEqualTo("0/2 nodes are available: 2 full."));
    }

    private void awaitRunningOnNodeB() {
        await().untilAsserted(() -> assertThat(
                        raw.get(LabPaths.vm("late")).body().at("/status/node").asText())
                .isEqualTo("node-b"));
    }

    @Test
    void waitsUntilItsPodChangesAndSomeNodeFitsAndThenRunsOnTheBestOne() {
        awaitNoNode();
        assertThat(raw.get(LabPaths.vm("late")).body().at("/status/phase").asText())
                .isEqualTo("Pending");
        assertThat(lab.guests()).isEmpty();
        assertThat(lab.accounted()).isEmpty();
        assertThat(calls).containsExactly("filter");

        full = false;
        annotated();

        awaitRunningOnNodeB();
        assertThat(calls).containsExactly("filter", "filter", "prioritize", "bind");
        assertThat(lab.guests()).containsOnlyKeys("late");
    }

    @Test
    void isTriedAgainAfterABindThatFailed() {
        awaitNoNode();
        bindsFailing = 1;
        full = false;
        annotated();

        awaitRunningOnNodeB();
        assertThat(calls).endsWith("bind", "filter", "prioritize", "bind");
    }
}
