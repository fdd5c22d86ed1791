package io.sluice.gateway.dump;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.gateway.listener.HttpListener;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class DumpVerticleTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    private Vertx vertx;
    private int port;

    @BeforeEach
    void keep(Vertx injected) {
        vertx = injected;
    }

    @Test
    void showsTheAgentsPodsInTheReferencesShape() throws Exception {
        openAgents();
        offer("agent", List.of("a/one-x", "b/two-y"), key -> Future.succeededFuture("{\"state\":\"" + key + "\"}"));
        offer("ledger", List.of("n1"), key -> Future.succeededFuture("{}"));
        var dump = get("/");
        assertThat(dump.headers().firstValue("content-type")).contains("application/json");
        assertThat(dump.body())
                .isEqualToIgnoringWhitespace(
                        "{\"stopped\":false,\"pods\":[{\"state\":\"a/one-x\"},{\"state\":\"b/two-y\"}]}");
        assertThat(get("/any/path?x").body()).isEqualTo(dump.body());
        assertThat(read(send(HttpRequest.newBuilder(uri("/")).method("GET", HttpRequest.BodyPublishers.ofString("{}"))))
                        .path("pods"))
                .hasSize(2);
    }

    @Test
    void anAgentThatIsGoneHasStopped() throws Exception {
        openAgents();
        assertThat(get("/").body()).isEqualToIgnoringWhitespace("{\"stopped\":true,\"pods\":[]}");
    }

    @Test
    void aPodThatCannotBeReadShowsWhichAndWhyAndOneThatIsGoneIsLeftOut() throws Exception {
        openAgents();
        offer("agent", List.of("a/broken", "a/fine", "a/gone"), key -> switch (key) {
            case "a/broken" -> Future.failedFuture("it \"broke\"");
            case "a/gone" -> Future.succeededFuture("null");
            default -> Future.succeededFuture("1");
        });
        assertThat(get("/").body())
                .isEqualToIgnoringNewLines("{\"stopped\":false,\"pods\":[{\"vm\":\"a/broken\","
                        + "\"collectionError\":\"it \\\"broke\\\"\"},1]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD", "OPTIONS"})
    void isReadWithGetAlone(String method) throws Exception {
        openAgents();
        var answer = send(HttpRequest.newBuilder(uri("/")).method(method, HttpRequest.BodyPublishers.noBody()));
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).contains("GET");
    }

    @Test
    void showsEveryPartSortedByItsName() throws Exception {
        openWhole();
        offer("ledger", List.of("n1", "n2"), key -> Future.succeededFuture("{\"node\":\"" + key + "\"}"));
        offer("agent", List.of(), key -> Future.failedFuture("not requested"));
        offer("odd \"part\"", List.of("odd \"key\""), key -> Future.succeededFuture("[1]"));
        assertThat(get("/dump").body())
                .isEqualToIgnoringNewLines("{\"agent\":{},\"ledger\":{\"n1\":{\"node\":\"n1\"},"
                        + "\"n2\":{\"node\":\"n2\"}},\"odd \\\"part\\\"\":{\"odd \\\"key\\\"\":[1]}}");
    }

    @Test
    void whateverBreaksIsReportedInItsPlaceAndSpoilsNothingElse() throws Exception {
        openWhole();
        offer("a", List.of("fine", "garbage", "late", "throws", "two"), key -> switch (key) {
            case "garbage" -> Future.succeededFuture("{\"open\":");
            case "late" -> Promise.<String>promise().future();
            case "throws" -> throw new IllegalStateException("thrown");
            case "two" -> Future.succeededFuture("1 2");
            default -> Future.succeededFuture("1");
        });
        shell.dumps().offer("b", new Dumps.Source() {
            @Override
            public Future<List<String>> keys() {
                return Future.failedFuture("no keys");
            }

            @Override
            public Future<String> read(String key) {
                return Future.succeededFuture("1");
            }
        });
        var dump = read(get("/dump"));
        assertThat(dump.at("/a/fine").asInt()).isEqualTo(1);
        assertThat(dump.at("/a/garbage/error").asText()).isEqualTo("this is not JSON");
        assertThat(dump.at("/a/late/error").asText()).isEqualTo("there was no reply within 300ms");
        assertThat(dump.at("/a/throws/error").asText()).isEqualTo("thrown");
        assertThat(dump.at("/a/two/error").asText()).isEqualTo("this is not one JSON value");
        assertThat(dump.at("/b/error").asText()).isEqualTo("no keys");
    }

    @Test
    void manyPiecesPileUpNoStack() throws Exception {
        openWhole();
        var keys = IntStream.range(0, 20_000).mapToObj(Integer::toString).toList();
        offer("a", keys, Future::succeededFuture);
        assertThat(read(get("/dump")).path("a")).hasSize(20_000);
        assertThat(meters.counter("sluice.gateway.dumps", "shape", "process", "outcome", "whole")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void requestsNoMoreThanItsReaderTakesAndNothingOnceItIsGone() throws Exception {
        openWhole();
        var requested = new AtomicInteger();
        var keys = IntStream.range(0, 20_000).mapToObj(Integer::toString).toList();
        offer("a", keys, key -> {
            requested.incrementAndGet();
            return Future.succeededFuture("\"" + "x".repeat(10_000) + "\"");
        });
        try (var socket = connect()) {
            socket.getInputStream().readNBytes(1000);
            assertThat(get("/dump").statusCode()).isEqualTo(503);
            untilStill(requested);
            assertThat(requested.get()).isLessThan(5_000);
        }
        until(() -> meters.counter("sluice.gateway.dumps", "shape", "process", "outcome", "left")
                        .count()
                == 1);
        int requestedUntilLeft = requested.get();
        offer("a", List.of("1"), key -> Future.succeededFuture("1"));
        assertThat(get("/dump").statusCode()).isEqualTo(200);
        assertThat(requested.get()).isEqualTo(requestedUntilLeft);
    }

    private void openAgents() throws Exception {
        var verticle = new DumpVerticle(ListenerConfig.loopback(0), shell);
        vertx.deployVerticle(verticle).await();
        port = verticle.port();
    }

    private void openWhole() throws Exception {
        vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        var handler = new DumpHandler(vertx, shell, DumpShape.PROCESS, SHORT);
                        return HttpListener.open(
                                        vertx,
                                        shell,
                                        ListenerConfig.loopback(0),
                                        ListenerSpec.of(
                                                "gateway.test",
                                                router -> router.route().handler(handler)))
                                .onSuccess(listener -> port = listener.port());
                    }
                })
                .await();
    }

    private void offer(String part, List<String> keys, Function<String, Future<String>> read) {
        shell.dumps().offer(part, new Dumps.Source() {
            @Override
            public Future<List<String>> keys() {
                return Future.succeededFuture(keys);
            }

            @Override
            public Future<String> read(String key) {
                return read.apply(key);
            }
        });
    }

    private Socket connect() throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new java.net.InetSocketAddress("127.0.0.1", port));
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write("GET /dump HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static JsonNode read(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }

    /** Waits until no request has arrived for a while. */
    private void untilStill(AtomicInteger requested) throws Exception {
        int before = -1;
        while (requested.get() != before) {
            before = requested.get();
            vertx.timer(300, TimeUnit.MILLISECONDS).await();
        }
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    request.version(HttpClient.Version.HTTP_1_1)
                            .timeout(Duration.ofSeconds(30))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
