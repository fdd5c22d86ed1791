package io.sluice.billing.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.shell.EndlessServer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpSinkTest {
    private static final Duration LONG = Duration.ofSeconds(45);
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final String EVENTS = "{\"events\":[{\"endpoint_id\":\"ep-ä\"}]}";

    @TempDir
    private Path directory;

    private HttpReceiver receiver;

    @BeforeEach
    void start() throws Exception {
        receiver = HttpReceiver.plain();
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    @Test
    void postsTheBatchAsItIsWithItsNameAsTraceId() throws Exception {
        try (var sink = sink(receiver.url())) {
            sink.send(Batches.named("KwSysDpxcBU9FNhGkn2dCf", EVENTS));
            sink.send(Batches.named("KwSysDpxcBU9FNhGkn2dCf", EVENTS));
        }

        assertThat(receiver.requests()).hasSize(2).allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.path()).isEqualTo("/usage_events");
            assertThat(request.headers().get("content-type")).containsExactly("application/json");
            assertThat(request.headers().get("x-trace-id")).containsExactly("KwSysDpxcBU9FNhGkn2dCf");
            assertThat(request.headers()).doesNotContainKeys("Authorization", "Content-encoding");
            assertThat(request.body()).isEqualTo(EVENTS);
        });
    }

    static Stream<EndlessServer.Answer> endless() {
        return Stream.concat(EndlessServer.answers(200), EndlessServer.answers(500));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void leavesAnAnswerThatDoesNotEndUnread(EndlessServer.Answer answer) throws Exception {
        try (var server = new EndlessServer(answer);
                var sink = sink("http://127.0.0.1:" + server.port())) {
            for (int sent = 1; sent <= 2; sent++) {
                catchThrowable(() -> sink.send(Batches.of(EVENTS)));
            }
            assertThat(server.connections()).isEqualTo(2);
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    @Test
    void addsItsPathToThatOfTheUrl() throws Exception {
        try (var sink = sink(receiver.url() + "/billing/v1/")) {
            sink.send(Batches.of(EVENTS));
        }

        assertThat(receiver.requests().getFirst().path()).isEqualTo("/billing/v1/usage_events");
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 202, 204, 400, 403, 404, 413, 429, 500, 503})
    void anythingButOkIsRefusal(int status) {
        receiver.answers(status);

        try (var sink = sink(receiver.url())) {
            assertThat(refusal(sink)).isEqualTo("HTTP code " + status);
        }
        assertThat(receiver.requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"400, true", "413, true", "422, true", "401, false", "404, false", "429, false", "500, false"})
    void isRefusedForItsSizeOrContents(int status, boolean isRefused) {
        receiver.answers(status);

        try (var sink = sink(receiver.url())) {
            var failure = catchThrowableOfType(SinkException.class, () -> sink.send(Batches.of(EVENTS)));
            assertThat(failure.isRefused()).isEqualTo(isRefused);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void followsNoneElsewhere(int status) {
        receiver.answers(exchange -> {
            exchange.getResponseHeaders().set("location", receiver.url() + "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
        });

        try (var sink = sink(receiver.url())) {
            assertThat(refusal(sink)).isEqualTo("HTTP code " + status);
        }
        assertThat(receiver.requests()).hasSize(1);
    }

    /**
     * The client may notice first that the connection is cut, or that the response has arrived. The sink's result is
     * the same.
     */
    @Test
    void aReceiverThatTookTheBatchMayBreakOffItsReply() throws Exception {
        try (var server = RawServer.saying("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\npart");
                var sink = sink(server.url())) {
            for (int i = 0; i < 200; i++) {
                assertThatCode(() -> sink.send(Batches.of(EVENTS))).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void anAnswerThatIsCutBeforeItsHeadersEndIsNone() throws Exception {
        try (var server = RawServer.saying("HTTP/1.1 200 OK\r\ncontent-le");
                var sink = sink(server.url())) {
            assertThat(refusal(sink)).isNotEmpty().doesNotContain("127.0.0.1").doesNotContainPattern("\\d");
        }
    }

    @Test
    void anAnswerThatIsNoHttpIsNone() throws Exception {
        try (var server = RawServer.saying("220 smtp ready\r\n\r\n");
                var sink = sink(server.url())) {
            assertThat(refusal(sink)).isNotEmpty();
        }
    }

    @Test
    void noneListening() {
        receiver.close();

        try (var sink = sink(receiver.url())) {
            assertThat(refusal(sink)).isEqualTo("Connection refused");
        }
    }

    @Test
    void anUnknownHost() {
        try (var sink = sink("http://receiver.invalid")) {
            assertThat(refusal(sink)).isEqualTo("unknown host");
        }
    }

    @Test
    void aReceiverThatNeverAnswersIsGivenUp() throws Exception {
        try (var server = RawServer.silent();
                var sink = sink(new HttpSinkConfig(server.url(), "", SHORT, SHORT, 200))) {
            assertThat(refusal(sink)).isEqualTo("request timed out");
            assertThat(refusal(sink)).isEqualTo("request timed out");
        }
    }

    @Test
    void aReceiverThatReadsAndReadsIsGivenUp() throws Exception {
        var reading = new RawServer((connection, closed) -> {
            connection.setReceiveBufferSize(1024);
            connection.getInputStream().readNBytes(10);
            closed.await();
        });
        try (reading;
                var sink = sink(new HttpSinkConfig(reading.url(), "", SHORT, SHORT, 200))) {
            var large = Batches.of("x".repeat(32 << 20));
            assertThat(catchThrowableOfType(SinkException.class, () -> sink.send(large))
                            .label())
                    .isEqualTo("request timed out");
        }
    }

    @Test
    void anAnswerThatIsStillComingIsHungUpOnWhenTheNextBatchGoes() throws Exception {
        var hungUp = new CountDownLatch(1);
        var slow = new RawServer((connection, closed) -> session(connection, closed, hungUp));
        try (slow;
                var sink = sink(slow.url())) {
            sink.send(Batches.of(EVENTS));
            sink.send(Batches.of(EVENTS));
            hungUp.await();
        }
    }

    /** Sends a response, and continues until the connection is closed. */
    private static void session(Socket connection, CountDownLatch closed, CountDownLatch hungUp) throws Exception {
        RawServer.readHeaders(connection);
        var out = connection.getOutputStream();
        out.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        try {
            while (!closed.await(1, TimeUnit.MILLISECONDS)) {
                out.write('x');
            }
        } catch (IOException refused) {
            hungUp.countDown();
        }
    }

    @Test
    void usesAConnectionAgainAfterAShortReply() throws Exception {
        var connections = ConcurrentHashMap.newKeySet();
        receiver.answers(exchange -> {
            connections.add(exchange.getRemoteAddress());
            exchange.sendResponseHeaders(200, 60_000);
            for (int i = 0; i < 60; i++) {
                exchange.getResponseBody().write(new byte[1000]);
                exchange.getResponseBody().flush();
            }
        });
        try (var sink = sink(receiver.url())) {
            for (int i = 0; i < 50; i++) {
                sink.send(Batches.of(EVENTS));
            }
        }
        // A batch that is sent before the last response is read completely uses another connection.
        assertThat(connections).hasSizeLessThan(50);
    }

    @Test
    void showsItsTokenAndItsNextOne() throws Exception {
        var file = directory.resolve("token");
        Files.writeString(file, "first-token\n");
        try (var sink = sink(new HttpSinkConfig(receiver.url(), file.toString(), LONG, LONG, 200))) {
            sink.send(Batches.of(EVENTS));
            Files.writeString(file, "second-token");
            sink.send(Batches.of(EVENTS));
        }

        assertThat(receiver.requests())
                .extracting(request -> request.header("authorization"))
                .containsExactly("Bearer first-token", "Bearer second-token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "two\ntokens", "with space", "tök"})
    void sendsNothingWithoutAUsableToken(String token) throws Exception {
        var file = directory.resolve("token");
        Files.writeString(file, token);
        try (var sink = sink(new HttpSinkConfig(receiver.url(), file.toString(), LONG, LONG, 200))) {
            var refused = catchThrowableOfType(SinkException.class, () -> sink.send(Batches.of(EVENTS)));
            assertThat(refused).hasMessageContaining("billing.http.tokenFile=" + file);
            assertThat(refused.label()).isEqualTo("no token");
        }
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void namesTheKeyOfATokenThatIsNotThere() {
        var missing = directory.resolve("missing").toString();
        try (var sink = sink(new HttpSinkConfig(receiver.url(), missing, LONG, LONG, 200))) {
            assertThat(catchThrowableOfType(SinkException.class, () -> sink.send(Batches.of(EVENTS))))
                    .hasMessageContaining("billing.http.tokenFile=" + missing + " cannot be read");
        }
    }

    @Test
    void aSinkThatIsClosedKeepsNoSenderWaiting() throws Exception {
        var arrived = new CountDownLatch(1);
        var waiting = new RawServer((connection, closed) -> {
            RawServer.readHeaders(connection);
            arrived.countDown();
            closed.await();
        });
        try (waiting) {
            var sink = sink(waiting.url());
            var label = CompletableFuture.supplyAsync(() -> refusal(sink));
            arrived.await();
            sink.close();
            assertThat(label.get()).isNotEmpty();
        }
    }

    @Test
    void aThreadInterruptedWhileWaitingGivesUpAndStaysInterrupted() throws Exception {
        try (var server = RawServer.silent();
                var sink = sink(server.url())) {
            Thread.currentThread().interrupt();
            assertThat(refusal(sink)).isEqualTo("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static String refusal(HttpSink sink) {
        return catchThrowableOfType(SinkException.class, () -> sink.send(Batches.of(EVENTS)))
                .label();
    }

    private static HttpSink sink(String url) {
        return sink(new HttpSinkConfig(url, "", LONG, LONG, 200));
    }

    private static HttpSink sink(HttpSinkConfig config) {
        return new HttpSink(config, "billing.http");
    }
}
