package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.shell.EndlessServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An API server, or another server in its place, that does not end its answers. */
@ExtendWith(VertxExtension.class)
class EndlessAnswerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);

    static Stream<EndlessServer.Answer> endless() {
        return Stream.concat(EndlessServer.answers(200), EndlessServer.answers(500));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void isCutOff(EndlessServer.Answer answer, Vertx vertx) throws Exception {
        try (var server = new EndlessServer(answer);
                var api = new ScriptedApi(vertx, LONG, "http://127.0.0.1:" + server.port())) {
            boolean begun = !answer.name().contains("header");
            var request = get(api);
            if (begun && !answer.name().equals("trailers")) {
                assertThatThrownBy(() -> request.await()).isInstanceOf(IOException.class);
            }
            assertThat(request.toCompletionStage().toCompletableFuture().handle((whole, lost) -> true))
                    .succeedsWithin(LONG);
            // The JDK's client reads a bounded part of endless headers, and leaves the connection unread.
            if (begun) {
                await().atMost(LONG).until(() -> server.open() == 0);
            }
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    /** Silence after a head, and a body that is too slow to become too long. */
    @ParameterizedTest
    @MethodSource
    void slow(String head, Vertx vertx) throws Exception {
        try (var server = new EndlessServer(new EndlessServer.Answer("slow", head, ""))) {
            assertIsLost(server, vertx);
        }
    }

    static Stream<String> slow() {
        return Stream.of("HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{");
    }

    private static void assertIsLost(EndlessServer server, Vertx vertx) throws Exception {
        try (var api = new ScriptedApi(vertx, SHORT, "http://127.0.0.1:" + server.port())) {
            var request = get(api);
            // Either of two limits may end it first, that of the request or that of its client.
            assertThatThrownBy(() -> request.await())
                    .extracting(lost -> lost instanceof CompletionException ? lost.getCause() : lost)
                    .isInstanceOfAny(TimeoutException.class, HttpTimeoutException.class);
            await().atMost(LONG).until(() -> server.open() == 0);
        }
    }

    private static Future<KubernetesApi.Answer> get(ScriptedApi api) {
        Function<KubernetesApi, Future<KubernetesApi.Answer>> get = requesting -> requesting.get("/api/v1/nodes");
        return api.onContext(get);
    }
}
