package io.sluice.placement.prometheus;

import static io.sluice.placement.core.Given.node;
import static io.sluice.placement.core.Given.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.messages.placement.RankNodes;
import io.sluice.placement.GangsConfig;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.PlacementVerticle;
import io.sluice.placement.UtilisationConfig;
import io.sluice.placement.core.utilisation.UtilisationRules;
import io.sluice.placement.elastic.ElasticConfig;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.explain.PlacementReasons;
import io.sluice.shell.load.LoadPolicy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Placement that scores by what a stand-in for Prometheus answers; the real one has a test among the dashboards'. */
@ExtendWith(VertxExtension.class)
class ScoresFromPrometheusTest {
    private static final int NODES = 500;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicInteger requests = new AtomicInteger();
    private final List<String> names =
            IntStream.range(0, NODES).mapToObj("n%03d"::formatted).toList();
    private Bus bus;

    /** Only the last node is idle. */
    private String answer(String query, double age) {
        double value = 0;
        var parts = names.stream();
        if (query.contains("DCGM")) {
            return "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}";
        }
        boolean cpu = query.contains("node_cpu_seconds_total");
        boolean time = query.contains("timestamp");
        return parts.map(name -> "{\"metric\":{\"node\":\"" + name + "\"},\"value\":[1000,\""
                        + (time ? age : cpu ? name.equals("n499") ? 2 : 60 : value) + "\"]}")
                .collect(Collectors.joining(
                        ",", "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[", "]}}"));
    }

    private HttpServer prometheus(Vertx vertx, Consumer<HttpServerRequest> handler) {
        return vertx.createHttpServer()
                .requestHandler(request -> {
                    requests.incrementAndGet();
                    handler.accept(request);
                })
                .listen(0, "127.0.0.1")
                .await();
    }

    private void start(Vertx vertx, PrometheusConfig prometheus, boolean rejectStale) {
        bus = new Bus(vertx);
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        var ledger = new Snapshot(names.stream().map(name -> node(name, 10, 1)).toList());
        var utilisation = new UtilisationConfig(
                true,
                new UtilisationRules.Weights(5, 10, 3),
                70,
                Duration.ofSeconds(1),
                rejectStale,
                new UtilisationRules.Thresholds(65, 0),
                List.of("A100=14"),
                false,
                50,
                prometheus);
        bus.serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(ledger))
                .await();
        vertx.deployVerticle(new PlacementVerticle(
                        new PlacementConfig(
                                LoadPolicy.SPREAD,
                                0,
                                0,
                                0,
                                "",
                                false,
                                GangsConfig.DEFAULTS,
                                utilisation,
                                ElasticConfig.DEFAULTS,
                                PlacementConfig.DEFAULTS.devices(),
                                PlacementConfig.DEFAULTS.zones()),
                        shell))
                .await();
        bus.publish(ClusterAddresses.POD_PENDING, pending("p", 0.1));
    }

    private static PrometheusConfig at(HttpServer server, String tokenFile) {
        return new PrometheusConfig(
                "http://127.0.0.1:" + server.actualPort(),
                tokenFile,
                "node",
                Duration.ofSeconds(5),
                Duration.ofMinutes(30));
    }

    private List<NodeRank> rank(String pod) {
        var ranks = bus.request(PlacementAddresses.RANK, new RankNodes(pod, "ns", pod + "-name", names))
                .await();
        return ((NodeRanks.Ranked) ranks).nodes();
    }

    private double rounds(String outcome) {
        return meters.counter("sluice.placement.prometheus.rounds", "outcome", outcome)
                .count();
    }

    @Test
    @DisplayName(
            "AT-S6 stale: scoring 500 nodes requests nothing; AT-S7 in the pipeline: the last node is idle and wins")
    void scoresFiveHundredNodesWithoutARequest(Vertx vertx, @TempDir Path folder) throws Exception {
        var token = Files.writeString(folder.resolve("token"), "secret\n");
        var server = prometheus(vertx, request -> {
            boolean allowed = "Bearer secret".equals(request.getHeader("Authorization"));
            request.response().setStatusCode(allowed ? 200 : 401).end(answer(request.getParam("query"), 1));
        });
        start(vertx, at(server, token.toString()), false);
        await().untilAsserted(() -> assertThat(rounds("read")).isPositive());
        await().untilAsserted(() -> assertThat(rank("p").getLast().score()).isGreaterThan(90));
        server.close().await();
        int before = requests.get();

        for (int i = 0; i < 5; i++) {
            var ranks = rank("p");
            assertThat(ranks.getLast().score()).isGreaterThan(90);
            assertThat(ranks.subList(0, NODES - 1))
                    .allSatisfy(rank -> assertThat(rank.score()).isBetween(1, 80));
        }
        assertThat(requests).hasValue(before);

        bus.publish(ClusterAddresses.POD_PENDING, pending("large", 2));
        var large = rank("large");
        assertThat(large.getFirst().obstacle()).isEqualTo(Obstacle.OVER_THRESHOLD);
        assertThat(PlacementReasons.of(large).summary())
                .isEqualTo("1/500 nodes: 499 beyond a threshold of use: UTIL_THRESHOLD(cpu 90>65)");
    }

    @Test
    void excludesNodesWithOldMetricsIfThatIsConfigured(Vertx vertx) {
        var server = prometheus(vertx, request -> request.response().end(answer(request.getParam("query"), 200)));
        start(vertx, at(server, ""), true);
        await().untilAsserted(() -> assertThat(rounds("read")).isPositive());

        assertThat(rank("p")).allSatisfy(rank -> assertThat(rank.obstacle()).isEqualTo(Obstacle.NOT_MEASURED));
        assertThat(PlacementReasons.of(rank("p")).summary()).isEqualTo("0/500 nodes: 500 without new metrics");
    }

    /** Nodes count as not measured, and pods are placed by their size alone. */
    @Test
    void goesOnWithoutPrometheus(Vertx vertx) {
        var server = prometheus(vertx, request -> {
            switch (requests.get() % 3) {
                case 0 -> request.response().setStatusCode(503).end();
                case 1 -> request.response().end("no JSON");
                default -> request.connection().close();
            }
        });
        start(vertx, at(server, ""), false);

        await().untilAsserted(() -> assertThat(rounds("failed")).isGreaterThan(1));
        assertThat(rounds("read")).isZero();
        assertThat(rank("p")).allSatisfy(rank -> assertThat(rank.score()).isEqualTo(100));
    }
}
