package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.gateway.console.ConsoleProcess;
import io.sluice.gateway.console.ConsoleVerticle;
import io.sluice.gateway.core.PodObservations;
import io.sluice.gateway.dump.DumpVerticle;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.TestCertificate;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: no listener of the process serves a client without a credential. Method: all of them are opened with TLS and a
 * token, and every kind of request is tried at each.
 */
@ExtendWith(VertxExtension.class)
class PortSweepTest {
    private static final String TOKEN = "Sweep-Token-0123456789";
    private static final String SECRET = "what-only-the-inside-knows";
    private static final List<String> NOTHING = List.of("X", "x");
    private static final List<String> EVERY_METHOD =
            List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW");
    private static final Readiness READINESS = new Readiness();
    private static final Shell SHELL =
            new Shell(new MonotonicClock(), new SimpleMeterRegistry(), READINESS, new Random(1));

    @TempDir
    private static Path directory;

    private static TestCertificate certificate;
    private static HttpClient client;
    private static ListenerConfig config;
    private static HealthVerticle ops;
    private static GatewayVerticle agent;
    private static VmMetricsVerticle vmMetrics;
    private static DumpVerticle dump;
    private static ConsoleVerticle console;

    /** Every listener, with something that it does for an admitted client. */
    private enum Swept {
        AGENT("POST", "/", 200),
        OPS("GET", "/metrics", 200),
        VM_METRICS("GET", "/metrics", 200),
        DUMP("GET", "/", 200),
        CONSOLE("GET", "/dump", 200);

        private final String method;
        private final String path;
        private final int status;

        Swept(String method, String path, int status) {
            this.method = method;
            this.path = path;
            this.status = status;
        }

        int port() {
            return switch (this) {
                case AGENT -> agent.agentPort();
                case OPS -> ops.port();
                case VM_METRICS -> vmMetrics.port();
                case DUMP -> dump.port();
                case CONSOLE -> console.port();
            };
        }
    }

    @BeforeAll
    static void openAll(Vertx vertx) throws Exception {
        certificate = TestCertificate.of("EC", directory);
        var tokens = directory.resolve("tokens");
        TestCertificate.replace(tokens, TOKEN);
        config = new ListenerConfig("127.0.0.1", 0, false, certificate.writeTo(directory), tokens.toString());
        client = newClient();
        READINESS.waitFor("part", SECRET);
        SHELL.dumps().offer("agent", new OnePiece());
        ops = new HealthVerticle(config, SHELL, format -> SECRET);
        agent = new GatewayVerticle(ListenerFixture.with(AgentListenerConfig.DEFAULTS.through(config)), SHELL);
        vmMetrics = new VmMetricsVerticle(config, SHELL, format -> SECRET);
        dump = new DumpVerticle(config, SHELL);
        console = new ConsoleVerticle(
                consoleConfig(), SHELL, new ConsoleProcess("", List.of(), Instant.EPOCH, () -> '"' + SECRET + '"'));
        new StandInLedger(PodObservations.UNIT).serve(new Bus(vertx)).await();
        for (var verticle : List.of(ops, agent, vmMetrics, dump, console)) {
            vertx.deployVerticle(verticle).await();
        }
        var observations = new Bus(vertx);
        observations.publish(ClusterAddresses.POD_OBSERVED, PodObservations.pod("a", "n1", 1));
        observations.publish(ClusterAddresses.VM_OBSERVED, PodObservations.vm("a", "n1", 1));
    }

    @AfterAll
    static void closeAll() throws Exception {
        client.close();
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWithTheTokenComesIn(Swept swept) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        var answer = send(swept, swept.method, swept.path, "Authorization", "Bearer " + TOKEN);
        // The agent API has to receive the observation of the pod first.
        while (answer.statusCode() != swept.status && System.nanoTime() < deadline) {
            answer = send(swept, swept.method, swept.path, "Authorization", "Bearer " + TOKEN);
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(swept.status);
        assertThat(answer.body()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void noRequestGetsAReplyWithoutTls(Swept swept) throws Exception {
        for (var token : List.of("", "Authorization: Bearer " + TOKEN + "\r\n")) {
            assertThat(plain(swept, "GET /livez HTTP/1.1\r\nHost: localhost\r\n" + token + "\r\n"))
                    .doesNotContain("HTTP/")
                    .doesNotContain(SECRET);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noRequestComesInWithoutTheToken(Swept swept) throws Exception {
        int tried = 0;
        for (var attempt : attempts()) {
            for (var method : attempt.equals(NOTHING) ? EVERY_METHOD : List.of("GET", "POST")) {
                for (var path : paths(swept)) {
                    if (!isExempt(swept, method, path)) {
                        var answer = send(swept, method, path, attempt.toArray(String[]::new));
                        var what = method + " " + path + " with " + attempt;
                        assertThat(answer.statusCode()).as(what).isEqualTo(refusal(swept, method, path));
                        assertThat(answer.body()).as(what).doesNotContain(SECRET);
                        assertThat(answer.body().isEmpty() || answer.body().startsWith("{\"error\":"))
                                .as(what + ": " + answer.body())
                                .isTrue();
                        tried++;
                    }
                }
            }
        }
        assertThat(tried).isGreaterThan(250);
    }

    @Test
    void probesReportTheirStatusAndNothingElse() throws Exception {
        for (var method : List.of("GET", "HEAD")) {
            var live = send(Swept.OPS, method, "/livez", "X", "x");
            assertThat(live.statusCode()).isEqualTo(200);
            assertThat(live.body()).isEqualTo(method.equals("GET") ? "ok" : "");
            var ready = send(Swept.OPS, method, "/readyz", "X", "x");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).isEqualTo(method.equals("GET") ? "not ready" : "");
        }
        assertThat(send(Swept.OPS, "GET", "/readyz?verbose", "X", "x").statusCode())
                .isEqualTo(401);
        assertThat(send(Swept.OPS, "GET", "/readyz?verbose", "Authorization", "Bearer " + TOKEN)
                        .body())
                .contains(SECRET);
    }

    /** The first token stays valid, for the other tests. */
    @Test
    void everyListenerTakesNewTokensWhileItRunsAndNoneThatIsRevoked() throws Exception {
        var another = "another-" + TOKEN;
        reload(TOKEN + "\n" + another);
        for (var swept : Swept.values()) {
            var answer = send(swept, "PUT", "/nothing-here", "Authorization", "Bearer " + another);
            assertThat(answer.statusCode()).as("%s", swept).isIn(400, 404, 405);
        }
        reload(TOKEN);
        // Every listener closed its connections; a request on one that the client still keeps fails.
        client.close();
        client = newClient();
        for (var swept : Swept.values()) {
            var answer = send(swept, "PUT", "/nothing-here", "Authorization", "Bearer " + another);
            assertThat(answer.statusCode()).as("%s", swept).isEqualTo(401);
        }
    }

    private static HttpClient newClient() throws GeneralSecurityException, IOException {
        return HttpClient.newBuilder().sslContext(certificate.trusting()).build();
    }

    private static void reload(String tokens) throws Exception {
        TestCertificate.replace(directory.resolve("tokens"), tokens);
        Future.all(List.of(
                        ops.reload(config),
                        agent.reload(ListenerFixture.with(AgentListenerConfig.DEFAULTS.through(config))),
                        vmMetrics.reload(config),
                        dump.reload(config),
                        console.reload(consoleConfig())))
                .await();
    }

    @Test
    void theConsoleShowsNothingButItsShell() throws Exception {
        for (var path : List.of("/", "/assets/none.js", "/lib/none/none.js")) {
            assertThat(send(Swept.CONSOLE, "GET", path, "X", "x").statusCode())
                    .as(path)
                    .isIn(200, 404);
        }
        for (var path : List.of("/assets/../api/fleet", "/assets/%2e%2e/dump", "//assets/x", "/lib/..%2fdump")) {
            var answer = send(Swept.CONSOLE, "GET", path, "X", "x");
            assertThat(answer.statusCode()).as(path).isIn(400, 401);
            assertThat(answer.body()).as(path).doesNotContain(SECRET);
        }
    }

    private static ConsoleListenerConfig consoleConfig() {
        return new ConsoleListenerConfig(
                config.host(), config.port(), config.insecure(), config.tls(), config.tokenFile(), List.of());
    }

    private static List<List<String>> attempts() {
        var basic = Base64.getEncoder().encodeToString(("sluice:" + TOKEN).getBytes(StandardCharsets.UTF_8));
        return Stream.of(
                        NOTHING,
                        List.of("Authorization", "Bearer wrong-token-0123456789"),
                        List.of("Authorization", "Bearer " + TOKEN.toLowerCase(Locale.ROOT)),
                        List.of("Authorization", "Bearer " + TOKEN.substring(1)),
                        List.of("Authorization", "Bearer"),
                        List.of("Authorization", "Basic " + basic),
                        List.of("X-Token", TOKEN),
                        List.of("Cookie", "token=" + TOKEN),
                        cookies())
                .toList();
    }

    /** The token itself is no cookie, at any listener. */
    private static List<String> cookies() {
        var headers = new ArrayList<String>();
        for (var swept : Swept.values()) {
            headers.addAll(List.of("Cookie", "sluice-" + swept.port() + "=" + TOKEN));
        }
        return headers;
    }

    private static List<String> paths(Swept swept) {
        return List.of(
                swept.path,
                swept.path + "?token=" + TOKEN + "&access_token=" + TOKEN,
                "/",
                "/livez",
                "/readyz?verbose",
                "/livez/../metrics",
                "/metrics",
                "/dump",
                "/api/fleet",
                "/api/tap",
                "/api/profile?seconds=1",
                "/login",
                "/logout",
                "/" + "x".repeat(2000));
    }

    /** The console refuses a path that is not canonical first, and reads a body at the login path. */
    private static int refusal(Swept swept, String method, String path) {
        boolean odd = path.contains("..") || method.equals("POST") && path.equals("/login");
        return swept == Swept.CONSOLE && odd ? 400 : 401;
    }

    private static boolean isExempt(Swept swept, String method, String path) {
        boolean reading = method.equals("GET") || method.equals("HEAD");
        return switch (swept) {
            case AGENT, VM_METRICS, DUMP -> false;
            case OPS -> reading && path.equals("/livez");
            case CONSOLE -> reading && path.equals("/");
        };
    }

    private static HttpResponse<String> send(Swept swept, String method, String path, String... headers)
            throws Exception {
        var body = method.equals("POST")
                ? BodyPublishers.ofString(PodObservations.body("a", 1, ""))
                : BodyPublishers.noBody();
        var request = HttpRequest.newBuilder(URI.create("https://localhost:" + swept.port() + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(20))
                .headers(headers)
                .method(method, body)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String plain(Swept swept, String bytes) throws IOException {
        try (var socket = new Socket("127.0.0.1", swept.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static final class OnePiece implements Dumps.Source {
        @Override
        public Future<List<String>> keys() {
            return Future.succeededFuture(List.of("a/a"));
        }

        @Override
        public Future<String> read(String key) {
            return Future.succeededFuture('"' + SECRET + '"');
        }
    }
}
