package io.sluice.billing.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.shell.EndlessServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what the sinks of object stores send, and how often. {@code tests/sinks} tests them with stand-ins. */
class ObjectSinksTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final String NAME = "usage/year=2025/month=03/day=04/hour=05/05:06:07Z_Kx3.ndjson.gz";
    private static final String KEY = "a2V5LW9mLWEtdGVzdA==";

    @TempDir
    private Path directory;

    private HttpReceiver store;

    @BeforeAll
    static void showCredentials() {
        System.setProperty("aws.accessKeyId", "tester");
        System.setProperty("aws.secretAccessKey", "secret");
    }

    @AfterAll
    static void hideCredentials() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    @BeforeEach
    void start() throws Exception {
        store = HttpReceiver.plain();
    }

    @AfterEach
    void stop() {
        store.close();
    }

    @Test
    void s3PutsOneObjectByItsPathAsItIs() throws Exception {
        try (var sink = s3(store.url(), LONG)) {
            sink.send(Batches.named(NAME, "body"));
        }

        assertThat(store.requests()).hasSize(1);
        var put = store.requests().getFirst();
        assertThat(put.method()).isEqualTo("PUT");
        assertThat(decoded(put.path())).isEqualTo("/bucket/" + NAME);
        assertThat(put.body()).isEqualTo("body");
        assertThat(put.header("authorization")).contains("Credential=tester/", "/eu-test-1/s3/");
        assertThat(put.headers().keySet())
                .noneMatch(name ->
                        name.toLowerCase().startsWith("x-amz-checksum") || name.equalsIgnoreCase("x-amz-trailer"));
    }

    @Test
    void azurePutsOneBlobAsItIsAndIdentifiesItself() throws Exception {
        store.answers(201);
        try (var sink = azure(store.url(), LONG)) {
            sink.send(Batches.named(NAME, "body"));
        }

        assertThat(store.requests()).hasSize(1);
        var put = store.requests().getFirst();
        assertThat(put.method()).isEqualTo("PUT");
        assertThat(decoded(put.path())).isEqualTo("/account/container/" + NAME);
        assertThat(put.body()).isEqualTo("body");
        assertThat(put.header("user-agent")).startsWith("neon-autoscaler ");
        assertThat(put.header("authorization")).startsWith("SharedKey account:");
        assertThat(put.headers()).doesNotContainKey("If-none-match");
    }

    @Test
    void eachTriesOnce() throws Exception {
        for (int status : new int[] {403, 404, 429, 500, 503}) {
            store.answers(status);
            try (var s3 = s3(store.url(), LONG);
                    var azure = azure(store.url(), LONG)) {
                int before = store.requests().size();
                assertThat(refusal(s3).label()).isEqualTo("S3 error");
                assertThat(store.requests()).hasSize(before + 1);
                assertThat(refusal(azure).label()).isEqualTo("Azure Blob error");
                assertThat(store.requests()).hasSize(before + 2);
            }
        }
    }

    @Test
    void aStoreThatNeverAnswersIsGivenUp() throws Exception {
        try (var silent = RawServer.silent();
                var s3 = s3(silent.url(), SHORT);
                var azure = azure(silent.url(), SHORT)) {
            assertThat(refusal(s3).label()).isEqualTo("S3 error");
            assertThat(refusal(azure).label()).isEqualTo("Azure Blob error");
        }
        assertThat(Thread.interrupted()).as("interrupted flag left behind").isFalse();
    }

    @Test
    void aStoreThatAnswersByteByByteWithoutEndIsGivenUp() throws Exception {
        var trickling = new RawServer((connection, closed) -> {
            RawServer.readHeaders(connection);
            connection.getOutputStream().write("HTTP/1.1 200 OK\r\nx-long: ".getBytes(StandardCharsets.US_ASCII));
            while (!closed.await(50, TimeUnit.MILLISECONDS)) {
                connection.getOutputStream().write('x');
            }
        });
        try (trickling;
                var s3 = s3(trickling.url(), SHORT);
                var azure = azure(trickling.url(), SHORT)) {
            assertThat(refusal(s3).label()).isEqualTo("S3 error");
            assertThat(refusal(azure).label()).isEqualTo("Azure Blob error");
        }
        assertThat(Thread.interrupted()).as("interrupted flag left behind").isFalse();
    }

    static Stream<EndlessServer.Answer> endless() {
        return Stream.concat(EndlessServer.answers(200), EndlessServer.answers(500));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void anAnswerThatDoesNotEndIsCutOff(EndlessServer.Answer answer) throws Exception {
        for (var sink : List.<Function<String, Sink>>of(url -> s3(url, LONG), url -> azure(url, LONG))) {
            try (var server = new EndlessServer(answer);
                    var sending = sink.apply("http://127.0.0.1:" + server.port())) {
                catchThrowable(() -> sending.send(Batches.named(NAME, "body")));

                assertThat(server.connections()).isPositive();
                assertThat(server.mostSent()).as("%s", sending).isLessThan(EndlessServer.ENDLESS);
            }
        }
    }

    /** Before a server accepts the batch, S3's client reads no body. */
    @Test
    void anErrorThatDoesNotEndIsCutOffWhenTheBatchWasTaken() throws Exception {
        var sent = new AtomicLong();
        var endless = new RawServer((connection, closed) -> {
            RawServer.readHeaders(connection);
            var out = connection.getOutputStream();
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            connection.getInputStream().readNBytes("body".length());
            out.write("HTTP/1.1 500 Odd\r\n\r\n<Error><Message>".getBytes(StandardCharsets.US_ASCII));
            var more = "z".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
            while (sent.get() < EndlessServer.ENDLESS) {
                out.write(more);
                sent.addAndGet(more.length);
            }
        });
        try (endless;
                var s3 = s3(endless.url(), LONG)) {
            assertThat(refusal(s3).label()).isEqualTo("S3 error");
            assertThat(sent.get()).isPositive().isLessThan(EndlessServer.ENDLESS);
        }
    }

    @Test
    void aStoreThatIsDownIsAFailure() throws Exception {
        store.close();
        try (var s3 = s3(store.url(), LONG);
                var azure = azure(store.url(), LONG)) {
            assertThat(refusal(s3).label()).isEqualTo("S3 error");
            assertThat(refusal(azure).label()).isEqualTo("Azure Blob error");
        }
    }

    @Test
    void aThreadInterruptedWhileWaitingGivesUpAndStaysInterrupted() throws Exception {
        try (var silent = RawServer.silent();
                var s3 = s3(silent.url(), LONG);
                var azure = azure(silent.url(), LONG)) {
            for (var sink : List.of(s3, azure)) {
                Thread.currentThread().interrupt();
                assertThat(refusal(sink)).isNotNull();
                assertThat(Thread.interrupted()).as("%s", sink).isTrue();
            }
        }
    }

    @Test
    void aStoreThatAnswersAtLengthFillsNoLog() throws Exception {
        store.answers(exchange -> {
            var answer = ("<Error><Code>Odd</Code><Message>" + "long ".repeat(10_000) + "</Message></Error>")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("content-type", "application/xml");
            exchange.sendResponseHeaders(400, answer.length);
            exchange.getResponseBody().write(answer);
        });
        try (var s3 = s3(store.url(), LONG);
                var azure = azure(store.url(), LONG)) {
            assertThat(refusal(s3).getMessage()).contains("long long").hasSizeLessThan(1100);
            assertThat(refusal(azure).getMessage()).contains("long long").hasSizeLessThan(1100);
        }
    }

    @Test
    void aKeyThatIsRenewedIsUsed() throws Exception {
        store.answers(201);
        try (var sink = azure(store.url(), LONG)) {
            sink.send(Batches.named(NAME, "body"));
            Files.writeString(directory.resolve("connection"), connection("other", store.url()));
            sink.send(Batches.named(NAME, "body"));
        }

        assertThat(store.requests())
                .extracting(request -> request.header("authorization").split(":")[0])
                .containsExactly("SharedKey account", "SharedKey other");
    }

    @Test
    void aMalformedConnectionStringIsNamedAndItsTextIsNotShown() throws Exception {
        for (var text : Stream.of("", "s3cret", "AccountName=a;AccountKey=s3cret!", "AccountKey=" + KEY)
                .toList()) {
            try (var sink = azure(store.url(), LONG)) {
                Files.writeString(directory.resolve("connection"), text);
                var refused = refusal(sink);
                assertThat(refused).hasMessageContaining("billing.azureBlob.connectionStringFile=" + directory);
                assertThat(refused).hasStackTraceContaining("connectionStringFile");
                assertThat(stack(refused)).doesNotContain("s3cret").doesNotContain(KEY);
            }
        }
        assertThat(store.requests()).isEmpty();
    }

    @Test
    void aSharedAccessSignatureIsNotSentWithoutTls() throws Exception {
        try (var sink = azure("http://host.invalid", LONG)) {
            Files.writeString(
                    directory.resolve("connection"),
                    "BlobEndpoint=http://host.invalid/account;SharedAccessSignature=sv=2024-11-04&sig=s3cret");
            var refused = refusal(sink);
            assertThat(refused)
                    .hasMessageContaining("billing.azureBlob.connectionStringFile=" + directory)
                    .hasMessageContaining("https only");
            assertThat(stack(refused)).doesNotContain("s3cret");
        }
    }

    private static String stack(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static SinkException refusal(Sink sink) {
        return catchThrowableOfType(SinkException.class, () -> sink.send(Batches.named(NAME, "body")));
    }

    private static String decoded(String path) {
        return URLDecoder.decode(path, StandardCharsets.UTF_8);
    }

    /** With a host name, because the SDK always uses path style for an address. */
    private static S3Sink s3(String url, Duration timeout) {
        var endpoint = url.replace("127.0.0.1", "localhost");
        return new S3Sink(new S3SinkConfig("bucket", "eu-test-1", endpoint, "usage", LONG, timeout, 200));
    }

    private AzureBlobSink azure(String endpoint, Duration timeout) {
        var file = directory.resolve("connection");
        try {
            Files.writeString(file, connection("account", endpoint));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
        var config = new AzureBlobSinkConfig(
                endpoint + "/account", "container", "usage", file.toString(), LONG, timeout, 200);
        return new AzureBlobSink(config, "billing.azureBlob");
    }

    private static String connection(String account, String endpoint) {
        return "DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=%s/%s;\n"
                .formatted(account, KEY, endpoint, account);
    }
}
