package io.sluice.gateway.dump;

import static io.sluice.gateway.ListenerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.gateway.listener.HttpListener;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class ProfileHandlerTest {
    private static final Set<String> MAY_REPORT_SECRETS = Set.of(
            "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation", "jdk.SystemProcess");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    private int port;

    @TempDir
    private Path directory;

    @BeforeEach
    void open(Vertx vertx, VertxTestContext context) {
        vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        var handler = new ProfileHandler(vertx, shell, Duration.ofMillis(300));
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
                .onComplete(context.succeedingThenComplete());
    }

    @Test
    void recordsAndSendsAndLeavesNothingBehind() throws Exception {
        var file = directory.resolve("received.jfr");
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.send(requesting("POST", "?seconds=1"), HttpResponse.BodyHandlers.ofFile(file));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("content-type")).contains("application/octet-stream");
        }
        assertThat(RecordingFile.readAllEvents(file))
                .isNotEmpty()
                .noneMatch(event ->
                        MAY_REPORT_SECRETS.contains(event.getEventType().getName()));
        until(() -> recordings() == 0);
        until(() -> sent() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?seconds=", "?seconds=0", "?seconds=301", "?seconds=-1", "?seconds=1.5", "?seconds=x"})
    void refusesLengthsThatAreNone(String query) throws Exception {
        assertThat(send("POST", query).statusCode()).isEqualTo(400);
        assertThat(send("POST", query).body()).contains("1 to 300");
    }

    @Test
    void isRequestedWithPostAlone() throws Exception {
        assertThat(send("GET", "?seconds=1").statusCode()).isEqualTo(405);
        assertThat(recordings()).isZero();
    }

    @Test
    void recordsForOneClientAtATimeAndStopsWhenItGoesAway() throws Exception {
        try (var socket = connect("POST /?seconds=300 HTTP/1.1\r\nHost: x\r\n\r\n")) {
            until(() -> recordings() == 1);
            assertThat(send("POST", "?seconds=1").statusCode()).isEqualTo(409);
            // A connection without traffic would be closed: this one is kept by interim responses.
            var sign = new String(socket.getInputStream().readNBytes(21), StandardCharsets.US_ASCII);
            assertThat(sign).isEqualTo("HTTP/1.1 100 Continue");
        }
        until(() -> recordings() == 0);
        until(() -> meters.counter("sluice.gateway.profiles", "outcome", "left").count() == 1);
        until(() -> send("POST", "?seconds=1").statusCode() == 200);
        // Counted once the recorder is free again: another test needs it.
        until(() -> sent() == 1);
    }

    private double sent() {
        return meters.counter("sluice.gateway.profiles", "outcome", "sent").count();
    }

    private static long recordings() throws IOException {
        long files;
        try (var entries = Files.newDirectoryStream(
                Path.of(System.getProperty("java.io.tmpdir")),
                "sluice-profile-" + ProcessHandle.current().pid() + "-*.jfr")) {
            files = count(entries);
        }
        long running = FlightRecorder.getFlightRecorder().getRecordings().stream()
                .filter(recording -> recording.getName().equals("sluice"))
                .count();
        return Math.max(files, running);
    }

    private static long count(Iterable<Path> paths) {
        long count = 0;
        for (var path : paths) {
            count += path.toString().isEmpty() ? 0 : 1;
        }
        return count;
    }

    private HttpResponse<String> send(String method, String query) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    requesting(method, query), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
        }
    }

    private HttpRequest requesting(String method, String query) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/profile" + query))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(60))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
    }

    private Socket connect(String start) throws IOException {
        var socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(start.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
