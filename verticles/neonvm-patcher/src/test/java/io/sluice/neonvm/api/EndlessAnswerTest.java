package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.shell.EndlessServer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An API server, or another server in its place, that does not end its answers. */
class EndlessAnswerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);

    static Stream<EndlessServer.Answer> endless() {
        return Stream.concat(EndlessServer.answers(200), EndlessServer.answers(500));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void isCutOff(EndlessServer.Answer answer) throws Exception {
        try (var server = new EndlessServer(answer);
                var api = new ScriptedApi(LONG, "http://127.0.0.1:" + server.port())) {
            boolean begun = !answer.name().contains("header");
            var request = get(api);
            if (begun && !answer.name().equals("trailers")) {
                assertThatThrownBy(() -> ScriptedApi.done(request)).isInstanceOf(CompletionException.class);
            }
            assertThat(request.toCompletionStage().toCompletableFuture().handle((whole, lost) -> true))
                    .succeedsWithin(LONG);
            // The JDK's client reads a bounded part of endless headers, and leaves the connection unread.
            if (begun) {
                untilClosed(api, server);
            }
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    /** Silence after a head, and a body that is too slow to become too long. */
    @ParameterizedTest
    @MethodSource
    void slow(String head) throws Exception {
        try (var server = new EndlessServer(new EndlessServer.Answer("slow", head, ""))) {
            assertIsLost(server);
        }
    }

    static Stream<String> slow() {
        return Stream.of("HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{");
    }

    private static void assertIsLost(EndlessServer server) throws Exception {
        try (var api = new ScriptedApi(SHORT, "http://127.0.0.1:" + server.port())) {
            var request = get(api);
            assertThatThrownBy(() -> ScriptedApi.done(request)).isInstanceOf(CompletionException.class);
            untilClosed(api, server);
        }
    }

    private static Future<KubernetesApi.Answer> get(ScriptedApi api) {
        Function<KubernetesApi, Future<KubernetesApi.Answer>> get = requesting -> requesting.get("/api/v1/nodes");
        return api.onContext(get);
    }

    private static void untilClosed(ScriptedApi api, EndlessServer server) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (server.open() > 0) {
            assertThat(System.nanoTime()).as("the connection is still open").isLessThan(deadline);
            ScriptedApi.done(api.vertx.timer(10, TimeUnit.MILLISECONDS));
        }
    }
}
