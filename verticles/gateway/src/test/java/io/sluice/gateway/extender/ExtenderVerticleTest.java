package io.sluice.gateway.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.PlacementAddresses;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PreemptPods;
import io.sluice.messages.placement.RankNodes;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** kube-scheduler's calls over a socket, before a placement that replies what a test sets. */
@ExtendWith(VertxExtension.class)
class ExtenderVerticleTest {
    private static final String ARGS = """
        {"Pod":{"metadata":{"uid":"u","namespace":"ns","name":"p"}},"Nodes":null,"NodeNames":["n1","n2","n3","n4"]}\
        """;
    private static final String BINDING = """
        {"PodName":"p","PodNamespace":"ns","PodUID":"u","Node":"n1"}\
        """;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private volatile InstantSource clock = new MonotonicClock();
    private final ExtenderVerticle verticle = new ExtenderVerticle(
            ListenerConfig.loopback(0),
            new Shell(() -> clock.instant(), meters, new Readiness(), new Random(1)),
            "own");
    private final List<Object> requests = new CopyOnWriteArrayList<>();
    private volatile Future<NodeRanks> ranks = Future.succeededFuture(new NodeRanks.Ranked(List.of(
            new NodeRank("n1", Obstacle.NONE, Resources.NONE, 74),
            new NodeRank("n2", Obstacle.NO_ROOM, new Resources(750, 0), 0),
            new NodeRank("n3", Obstacle.NO_ROOM, new Resources(250, 0), 0),
            new NodeRank("n4", Obstacle.NODE_NOT_READY, Resources.NONE, 0))));
    private volatile Future<PlaceReply> placed = Future.succeededFuture(new PlaceReply.Placed());

    @BeforeEach
    void open(Vertx vertx) {
        var bus = new Bus(vertx);
        Future.all(
                        bus.serve(PlacementAddresses.RANK, request -> {
                            requests.add(request);
                            return ranks;
                        }),
                        bus.serve(PlacementAddresses.PREEMPT, request -> {
                            requests.add(request);
                            return ranks;
                        }),
                        bus.serve(PlacementAddresses.PLACE, request -> {
                            requests.add(request);
                            return placed;
                        }))
                .compose(served -> vertx.deployVerticle(verticle))
                .await();
    }

    @Test
    void filtersNodesAndGivesEqualReasonsToNodesThatAreShortOfTheSame() throws Exception {
        var reply = json(post("/filter", ARGS));

        assertThat(requests).containsExactly(new RankNodes("u", "ns", "p", List.of("n1", "n2", "n3", "n4")));
        assertThat(reply.path("NodeNames").toString()).isEqualTo("[\"n1\"]");
        assertThat(reply.path("FailedAndUnresolvableNodes").toString())
                .isEqualTo("{\"n2\":\"short of CPU by 250m or more in the ledger\","
                        + "\"n3\":\"short of CPU by 250m or more in the ledger\",\"n4\":\"not ready\"}");
        assertThat(reply.path("Error").asText()).isEmpty();
    }

    @Test
    void refusesPodsOfTheSchedulerThatSluiceIs() throws Exception {
        var args = ARGS.replace("{\"metadata\"", "{\"spec\":{\"schedulerName\":\"own\"},\"metadata\"");
        assertThat(json(post("/filter", args)).path("Error").asText())
                .contains("no kube-scheduler may serve that name")
                .contains("placement.schedulerName");
        assertThat(requests).isEmpty();
        var others = args.replace("own", "another");
        assertThat(json(post("/filter", others)).path("Error").asText()).isEmpty();
    }

    @Test
    void scoresNodesFrom0To10() throws Exception {
        assertThat(post("/prioritize", ARGS).body())
                .isEqualTo("[{\"Host\":\"n1\",\"Score\":7},{\"Host\":\"n2\",\"Score\":0},{\"Host\":\"n3\",\"Score\":0},"
                        + "{\"Host\":\"n4\",\"Score\":0}]");
    }

    @Test
    void ranksNodesOnceToFilterThemAndToScoreThoseThatFit() throws Exception {
        clock = InstantSource.fixed(clock.instant());
        post("/filter", ARGS);
        var fitting = ARGS.replace("[\"n1\",\"n2\",\"n3\",\"n4\"]", "[\"n1\"]");
        assertThat(post("/prioritize", fitting).body()).isEqualTo("[{\"Host\":\"n1\",\"Score\":7}]");
        assertThat(requests).hasSize(1);

        post("/prioritize", fitting);
        assertThat(requests).as("a later call is ranked anew").hasSize(2);
    }

    @Test
    void readsAPodWhateverElseItHasAndInWhateverOrder() throws Exception {
        var reply = json(post("/filter", """
            {"NodeNames":["n1"],"Nodes":{"items":[{"Pod":1}]},"Pod":{"spec":{"containers":[{"name":"c"}],"schedulerName":null},
             "metadata":{"labels":{"uid":"no"},"name":"p\\u00e9","namespace":"ns","ownerReferences":[{"uid":"no"}],"uid":"u"},
             "status":{"metadata":{"uid":"no"}}}}\
            """));

        assertThat(requests).containsExactly(new RankNodes("u", "ns", "pé", List.of("n1")));
        assertThat(reply.path("Error").asText("none")).isEmpty();
    }

    @Test
    void bindsByPlacementAndReportsWhyNot() throws Exception {
        assertThat(json(post("/bind", BINDING)).path("Error").asText("none")).isEmpty();
        assertThat(requests).containsExactly(new PlacePod("u", "ns", "p", "n1"));

        placed = Future.succeededFuture(new PlaceReply.NotPlaced("node n1 is short of CPU by 1"));
        assertThat(json(post("/bind", BINDING)).path("Error").asText()).isEqualTo("node n1 is short of CPU by 1");
        placed = Future.succeededFuture(new PlaceReply.InDoubt("lost"));
        assertThat(json(post("/bind", BINDING)).path("Error").asText())
                .isEqualTo("it is unknown whether the pod was bound, and its room stays held: lost");
    }

    @Test
    void letsPodsBeEvictedOnlyWhereTheLedgerHasRoomAfterwards() throws Exception {
        var reply = json(post("/preempt", """
            {"Pod":{"metadata":{"uid":"u"}},"NodeNameToMetaVictims":{
              "n1":{"Pods":[{"UID":"v1"},{"UID":"v2"}],"NumPDBViolations":1},
              "n2":{"Pods":[{"UID":"v3"}],"NumPDBViolations":0}}}\
            """));

        assertThat(requests)
                .containsExactly(new PreemptPods(
                        "u",
                        List.of(
                                new PreemptPods.Candidate("n1", List.of("v1", "v2")),
                                new PreemptPods.Candidate("n2", List.of("v3")))));
        assertThat(reply.path("NodeNameToMetaVictims").toString())
                .isEqualTo("{\"n1\":{\"Pods\":[{\"UID\":\"v1\"},{\"UID\":\"v2\"}],\"NumPDBViolations\":1}}");
    }

    @Test
    void reportsAPodThatIsNotObservedAndAPlacementThatDoesNotReply() throws Exception {
        ranks = Future.succeededFuture(new NodeRanks.PodNotPending());
        assertThat(json(post("/filter", ARGS)).path("Error").asText()).contains("did not observe the pod");

        ranks = Future.failedFuture("lost");
        placed = Future.failedFuture("lost");
        assertThat(json(post("/filter", ARGS)).path("Error").asText()).contains("placement did not reply");
        assertThat(json(post("/bind", BINDING)).path("Error").asText()).contains("placement did not reply");
        assertThat(post("/prioritize", ARGS).statusCode()).isEqualTo(500);
        assertThat(counted("calls", "Filter")).isEqualTo(2);
        assertThat(counted("call_fails", "Filter")).isEqualTo(1);
        assertThat(counted("call_fails", "Reserve")).isEqualTo(1);
        assertThat(counted("call_fails", "Score")).isEqualTo(1);
        assertThat(counted("calls", "PostFilter")).isZero();
    }

    private double counted(String name, String method) {
        return meters.get("autoscaling_plugin_extension_" + name + "_total")
                .tag("method", method)
                .counter()
                .count();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/filter | [] | the body must be an object",
                "/filter | {} | Pod must be an object",
                "/prioritize | {\"Pod\":[],\"NodeNames\":[]} | Pod must be an object",
                "/filter | {\"Pod\":{},\"NodeNames\":{\"a\":[1]}} | NodeNames must be a list of names: the extender's"
                        + " configuration needs nodeCacheCapable: true",
                "/filter | {\"Pod\":{},\"NodeNames\":[\"\"]} | NodeNames must contain names, not \"\"",
                "/filter | {\"Pod\":{\"metadata\":{\"uid\":7}},\"NodeNames\":[\"n\"]} | Pod.metadata.uid must be a"
                        + " text that is not empty",
                "/filter | {\"Pod\":{}} | NodeNames must be a list of names: the extender's configuration needs"
                        + " nodeCacheCapable: true",
                "/filter | {\"Pod\":{},\"NodeNames\":[1]} | NodeNames must contain names, not 1",
                "/filter | {\"Pod\":{},\"NodeNames\":[\"n\"]} | Pod.metadata.uid must be a text that is not empty",
                "/preempt | {\"Pod\":{}} | NodeNameToMetaVictims must be an object: the extender's configuration needs"
                        + " nodeCacheCapable: true",
                "/preempt | {\"NodeNameToMetaVictims\":{\"n\":{\"Pods\":[{}]}}} | NodeNameToMetaVictims.n.Pods.UID must"
                        + " be a text that is not empty",
                "/bind | {\"PodUID\":\"u\"} | PodNamespace must be a text that is not empty",
                "/bind | [] | the body must be an object"
            })
    void namesWhatIsWrongInARequestAndChangesNothing(String path, String body, String error) throws Exception {
        var reply = post(path, body);

        assertThat(reply.statusCode()).isEqualTo(400);
        assertThat(json(reply).path("error").asText()).isEqualTo(error);
        assertThat(requests).isEmpty();
    }

    @Test
    void refusesABodyThatIsNoJson() throws Exception {
        for (var body : List.of("{\"Pod\":{\"metadata\":", "{\"Pod\":nonsense}", "{\"NodeNames\":[")) {
            var reply = post("/filter", body);
            assertThat(reply.statusCode()).as(body).isEqualTo(400);
            assertThat(json(reply).path("error").asText()).as(body).startsWith("the body is no JSON: ");
        }
        assertThat(requests).isEmpty();
    }

    /** With DNS rebinding a page makes its own name point here: its browser sees no other origin then. */
    @Test
    void onLoopbackRefusesAPageWithANameThatWasMadeToLeadHere() throws Exception {
        var head = "POST /bind HTTP/1.1\r\nHost: %s\r\nOrigin: http://%1$s\r\nSec-Fetch-Site: same-origin\r\n"
                + "Connection: close\r\nContent-Length: " + BINDING.length() + "\r\n\r\n" + BINDING;

        assertThat(raw(head.formatted("evil.example:" + verticle.port()))).startsWith("HTTP/1.1 403");
        assertThat(requests).isEmpty();
        assertThat(raw(head.formatted("127.0.0.1:" + verticle.port()))).startsWith("HTTP/1.1 200");
    }

    @Test
    void aBodyThatDoesNotEndHasADeadline() throws Exception {
        var begun = "POST /filter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";

        assertThat(raw(begun)).startsWith("HTTP/1.1 408");
    }

    private String raw(String request) throws IOException {
        try (var socket = new Socket("127.0.0.1", verticle.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    private static JsonNode json(HttpResponse<String> reply) throws Exception {
        return new ObjectMapper().readTree(reply.body());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.port() + path))
                            .version(HttpClient.Version.HTTP_1_1)
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
