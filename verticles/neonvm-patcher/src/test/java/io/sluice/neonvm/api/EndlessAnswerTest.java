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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An API server, or another server in its place, that does not end its answers. */
@ExtendWith(VertxExtension.class)
class EndlessAnswerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);

    /** What is sent to it. */
    enum Sent {
        READ(api -> api.get("/api/v1/nodes")),
        WRITE(api -> api.merge("Pod", "/api/v1/namespaces/a/pods/b", "{}"));

        private final Function<KubernetesApi, Future<KubernetesApi.Answer>> send;

        Sent(Function<KubernetesApi, Future<KubernetesApi.Answer>> send) {
            this.send = send;
        }
    }

    static Stream<Arguments> endless() {
        return Stream.of(Sent.values())
                .flatMap(sent -> Stream.concat(EndlessServer.answers(200), EndlessServer.answers(500))
                        .map(answer -> Arguments.of(sent, answer)));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void isCutOff(Sent sent, EndlessServer.Answer answer, Vertx vertx) throws Exception {
        try (var server = new EndlessServer(answer);
                var api = new ScriptedApi(vertx, LONG, "http://127.0.0.1:" + server.port())) {
            boolean begun = !answer.name().contains("header");
            var request = api.onContext(sent.send);
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
    void slow(Sent sent, String head, Vertx vertx) throws Exception {
        try (var server = new EndlessServer(new EndlessServer.Answer("slow", head, ""))) {
            assertIsLost(sent, server, vertx);
        }
    }

    static Stream<Arguments> slow() {
        return Stream.of(Sent.values())
                .flatMap(sent -> Stream.of("HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{")
                        .map(head -> Arguments.of(sent, head)));
    }

    private static void assertIsLost(Sent sent, EndlessServer server, Vertx vertx) throws Exception {
        try (var api = new ScriptedApi(vertx, SHORT, "http://127.0.0.1:" + server.port())) {
            var request = api.onContext(sent.send);
            // Either of two limits may end it first, that of the request or that of its client.
            assertThatThrownBy(() -> request.await())
                    .extracting(lost -> lost instanceof CompletionException ? lost.getCause() : lost)
                    .isInstanceOfAny(TimeoutException.class, HttpTimeoutException.class);
            await().atMost(LONG).until(() -> server.open() == 0);
        }
    }
}
