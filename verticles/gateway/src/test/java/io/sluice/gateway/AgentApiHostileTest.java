package io.sluice.gateway;

import static io.sluice.gateway.ListenerFixture.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is sent, the reply has a status and a plain sentence, the ledger receives nothing, and the listener stays
 * open.
 */
@DisplayName("F23: the agents' API refuses what is malformed or cannot be counted")
@ExtendWith(VertxExtension.class)
class AgentApiHostileTest {
    private static ListenerFixture listener;

    @BeforeAll
    static void open(Vertx vertx) {
        listener = new ListenerFixture(vertx).listed();
    }

    @AfterEach
    void nothingWasRequestedAndTheListenerIsStillOpen() throws Exception {
        assertThat(listener.ledger.requests).isEmpty();
        assertThat(listener.ledger.openings).isEmpty();
        assertThat(listener.post(body("nobody", 1, "")).statusCode()).isEqualTo(404);
    }

    static Stream<Arguments> refused() {
        String good = body("a-0", 2, "");
        return Stream.of(
                Arguments.of(
                        "version zero",
                        good.replace("n\":7", "n\":0"),
                        400,
                        "invalid protocol version <invalid: zero>"),
                Arguments.of(
                        "version too old",
                        good.replace("n\":7", "n\":4"),
                        400,
                        "protocol version mismatch: need v3.0 to v5.0 but got v2.1"),
                Arguments.of(
                        "version too new",
                        good.replace("n\":7", "n\":8"),
                        400,
                        "protocol version mismatch: need v3.0 to v5.0 but got <unknown = v5.0 + 1>"),
                Arguments.of(
                        "unit without CPU",
                        good.replaceFirst("\"250m\"", "0"),
                        400,
                        "computeUnit fields must be non-zero: vCPUs must be non-zero"),
                Arguments.of(
                        "unit without memory",
                        good.replaceFirst("\"1Gi\"", "0"),
                        400,
                        "computeUnit fields must be non-zero: mem must be non-zero"),
                Arguments.of(
                        "unit before pod",
                        body("nobody", 2, "").replaceFirst("\"1Gi\"", "0"),
                        400,
                        "computeUnit fields must be non-zero: mem must be non-zero"),
                Arguments.of("unknown pod", body("nobody", 2, ""), 404, "pod not found"),
                Arguments.of("pod without a node", body("waiting-0", 2, ""), 404, "pod's node is unknown"),
                Arguments.of("pod without a VM", body("plain", 2, ""), 400, "pod is not associated with a VM"),
                Arguments.of("VM not observed", body("unheard-0", 2, ""), 503, "the pod's VM was not observed yet"),
                Arguments.of(
                        "nothing wanted",
                        good.replace("\"500m\"", "0"),
                        400,
                        "resources fields must be non-zero: vCPUs must be non-zero"),
                Arguments.of("negative", good.replace("\"500m\"", "-1"), 400, "resources.vCPUs must not be negative"),
                Arguments.of(
                        "overflow", good.replace("\"2Gi\"", "99999999999999999999"), 400, "resources.mem is too large"),
                Arguments.of(
                        "huge exponent",
                        good.replace("\"500m\"", "\"1e999999999\""),
                        400,
                        "bad JSON: resources.vCPUs must be a number or a quantity such as 250m, and not beyond 64"
                                + " bits"),
                Arguments.of(
                        "slots for bytes",
                        good.replace("\"2Gi\"", "2"),
                        400,
                        "resources.mem counts bytes: 2 is less than one memory slot of the VM, 1073741824"),
                Arguments.of(
                        "slots beyond bytes",
                        good.replace("n\":7", "n\":5").replace("\"2Gi\"", "9223372036854775807"),
                        400,
                        "a number of memory slots is too large"),
                Arguments.of("a session without seq", body("a-0", 2, ",\"session\":1"), 400, "a session needs a seq"),
                Arguments.of("empty", "", 400, "bad JSON: the body is empty"),
                Arguments.of("array", "[]", 400, "bad JSON: the body must be an object"),
                Arguments.of("null", "null", 400, "invalid protocol version <invalid: zero>"),
                Arguments.of(
                        "deep",
                        "{\"a\":".repeat(3000),
                        400,
                        "bad JSON: it is nested too deeply, or a number in it is too long"),
                Arguments.of(
                        "long number",
                        body("a-0", 2, ",\"x\":" + "9".repeat(9000)),
                        400,
                        "bad JSON: it is nested too deeply, or a number in it is too long"),
                Arguments.of(
                        "long",
                        body("a-0", 2, ",\"x\":\"" + "x".repeat(17_000) + "\""),
                        400,
                        "bad JSON: the value does not end within 16384 bytes"),
                Arguments.of(
                        "huge",
                        "{\"x\":\"" + "x".repeat(900_000) + "\"}",
                        400,
                        "bad JSON: the value does not end within 16384 bytes"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void refuses(String name, String sent, int status, String sentence) throws Exception {
        var answer = listener.post(sent);
        assertThat(answer.body()).isEqualTo(sentence);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).contains("text/plain");
    }

    /** With DNS rebinding a page makes its own name point here: its browser sees no other origin then. */
    @Test
    void onLoopbackRefusesAPageWithANameThatWasMadeToLeadHere() throws Exception {
        for (var host :
                new String[] {"evil.example", "evil.example:" + listener.gateway.agentPort(), "127.0.0.1.nip.io"}) {
            assertThat(raw(host)).as(host).startsWith("HTTP/1.1 403");
        }
        for (var host : new String[] {"localhost:" + listener.gateway.agentPort(), "[::1]", "proxy.example"}) {
            assertThat(raw(host)).as(host).startsWith("HTTP/1.1 400");
        }
    }

    private static String raw(String host) throws IOException {
        try (var socket = new Socket("127.0.0.1", listener.gateway.agentPort())) {
            socket.setSoTimeout(20_000);
            var request = "POST / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** A body is never taken for a form, and never written to a file. */
    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain", "x"})
    void readsABodyWhateverItsMediaType(String type) throws Exception {
        var sent = body("nobody", 2, ",\"x\":\"" + "x".repeat(9000) + "\"");
        try (var socket = connect("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " + type
                + "\r\nContent-Length: " + sent.length() + "\r\n\r\n" + sent)) {
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 404")
                    .endsWith("pod not found");
        }
        assertThat(Path.of("file-uploads")).doesNotExist();
    }

    @Test
    void refusesABodyThatIsCutAnywhere() throws Exception {
        String good = body("a-0", 2, "");
        for (int length = 0; length < good.length(); length++) {
            var answer = listener.post(good.substring(0, length));
            assertThat(answer.statusCode()).as("cut at %d", length).isEqualTo(400);
            assertThat(answer.body()).as("cut at %d", length).startsWith("bad JSON: ");
        }
    }

    @Test
    void refusesBinary() throws Exception {
        var random = new Random(7);
        for (int round = 0; round < 100; round++) {
            byte[] bytes = new byte[random.nextInt(2000)];
            random.nextBytes(bytes);
            var answer = listener.post(bytes);
            assertThat(answer.statusCode()).as("round %d", round).isEqualTo(400);
            assertThat(answer.body()).as("round %d", round).startsWith("bad JSON: ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "BREW"})
    void servesPostAlone(String method) throws Exception {
        var answer = listener.with(method);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
        assertThat(answer.body()).isEqualTo(method.equals("HEAD") ? "" : "must be POST");
    }

    @Test
    void keepsAConnectionThroughRefusals() throws Exception {
        String unknown = body("nobody", 2, "");
        String post =
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + unknown.length() + "\r\n\r\n" + unknown;
        String put = post.replace("POST", "PUT");
        try (var socket = connect(put + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + post
                + post.replace("Host: localhost", "Host: localhost\r\nConnection: close"))) {
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answers.split("HTTP/1.1 ")).hasSize(5);
            assertThat(answers.split("HTTP/1.1 404 Not Found")).hasSize(3);
        }
    }

    @Test
    void answersABodyThatNeverEndsAndHangsUp() throws Exception {
        try (var socket = connect("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n")) {
            byte[] block = new byte[64 * 1024];
            var out = socket.getOutputStream();
            try {
                for (int sent = 0; sent < 1000; sent++) {
                    out.write(block);
                }
            } catch (IOException hungUp) {
                assertThat(hungUp).hasMessageMatching("(?i).*(reset|broken pipe|abort).*");
                return;
            }
            throw new AssertionError("64 MB were taken");
        }
    }

    @Test
    void survivesWhatIsNoHttp() throws Exception {
        try (var socket = connect("\u0000\u0001\u0002 nonsense\r\n\r\n")) {
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.");
        }
        try (var socket = connect("POST / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n")) {
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 431");
        }
    }

    private static Socket connect(String start) throws IOException {
        var socket = new Socket("127.0.0.1", listener.gateway.agentPort());
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(start.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }
}
