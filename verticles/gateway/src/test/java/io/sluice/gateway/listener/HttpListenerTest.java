package io.sluice.gateway.listener;

import static io.sluice.gateway.ListenerFixture.until;
import static io.sluice.gateway.listener.OpenListener.PATIENT;
import static io.sluice.gateway.listener.OpenListener.TOKEN;
import static io.sluice.gateway.listener.OpenListener.behind;
import static io.sluice.gateway.listener.OpenListener.requesting;
import static io.sluice.gateway.listener.OpenListener.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class HttpListenerTest {
    @TempDir
    private Path directory;

    private OpenListener open;

    @BeforeEach
    void open(Vertx vertx) {
        open = new OpenListener(vertx);
    }

    @Test
    void letsEveryClientOfThisMachineInWhereItRequiresNothing() throws Exception {
        open.open(ListenerConfig.loopback(0));
        assertThat(open.get("any/path?x=1").body()).isEqualTo("inside");
    }

    @Test
    void letsInRequestsWithATokenAndNoOthers() throws Exception {
        open.open(guarded(TOKEN + "\n" + TOKEN + "-2"));
        assertThat(open.get("", "Authorization", "Bearer " + TOKEN).body()).isEqualTo("inside");
        assertThat(open.get("", "Authorization", "bearer  " + TOKEN + "-2").body())
                .isEqualTo("inside");
        var missing = open.get("");
        assertThat(missing.statusCode()).isEqualTo(401);
        assertThat(missing.headers().firstValue("www-authenticate")).contains("Bearer");
        assertThat(missing.body()).startsWith("{\"error\":");
        for (var wrong : new String[] {
            "Bearer " + TOKEN.toUpperCase(), "Bearer", "Bearer ", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN + " x"
        }) {
            assertThat(open.get("", "Authorization", wrong).statusCode())
                    .as(wrong)
                    .isEqualTo(401);
        }
        assertThat(open.get("?token=" + TOKEN + "&access_token=" + TOKEN).statusCode())
                .isEqualTo(401);
        assertThat(open.count("sluice.gateway.refused", "listener", "test", "reason", "missing"))
                .isEqualTo(6);
        assertThat(open.count("sluice.gateway.refused", "listener", "test", "reason", "wrong"))
                .isEqualTo(2);
    }

    /** Libraries let such a request through, as browsers send it without a credential. */
    @Test
    void letsNoPreflightIn() throws Exception {
        open.open(guarded(TOKEN));
        assertThat(open.raw("OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                        + "Access-Control-Request-Headers: Authorization\r\n\r\n"))
                .startsWith("HTTP/1.1 401");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void speaksTlsWithEveryKindOfKey(String keys) throws Exception {
        var certificate = TestCertificate.of(keys, directory);
        var config = new ListenerConfig("127.0.0.1", 0, false, certificate.writeTo(directory), "");
        open.open(config);
        assertThat(open.listener().url()).startsWith("https://127.0.0.1:");
        assertThat(send(requesting(open.listener(), ""), certificate.trusting()).body())
                .isEqualTo("inside");
        assertThat(open.raw("GET / HTTP/1.1\r\nHost: x\r\n\r\n")).doesNotContain("HTTP");
        assertThat(open.meters
                        .get("sluice.gateway.certificate.until")
                        .tag("listener", "test")
                        .gauge()
                        .value())
                .isEqualTo(certificate.certificate().getNotAfter().toInstant().getEpochSecond());
    }

    @Test
    void refusesToOpenWithoutWhatItIsGiven() throws Exception {
        var missing = directory.resolve("missing").toString();
        refuses(new ListenerConfig("127.0.0.1", 0, false, TlsFiles.NONE, missing), "gateway.test.tokenFile=" + missing);
        refuses(
                new ListenerConfig("127.0.0.1", 0, false, new TlsFiles(missing, missing), ""),
                "gateway.test.tls.cert=" + missing);
        refuses(guarded("short"), "line 1 must be one token");
        refuses(guarded(""), "1 to 100 tokens");
        refuses(new ListenerConfig("0.0.0.0", 0, false, TlsFiles.NONE, ""), "gateway.test.insecure: true");
        var one = TestCertificate.of("EC", directory);
        var files = one.writeTo(directory);
        Files.writeString(
                directory.resolve("tls.key"),
                TestCertificate.of("EC", directory).keyPem());
        refuses(new ListenerConfig("127.0.0.1", 0, false, files, ""), "the key is not the certificate's");
        Files.writeString(directory.resolve("tls.crt"), "no certificate");
        refuses(new ListenerConfig("127.0.0.1", 0, false, files, ""), "gateway.test.tls.cert=" + files.cert());
    }

    private void refuses(ListenerConfig config, String words) {
        assertThatThrownBy(() -> open.open(config)).hasMessageContaining(words);
    }

    @Test
    void aListenerForBrowsersTakesTheNextFreePortAndAnyOtherReportsTheTakenOne() throws Exception {
        try (var taken = new ServerSocket(0)) {
            var config = ListenerConfig.loopback(taken.getLocalPort());
            assertThatThrownBy(() -> open.open(config))
                    .hasMessageContaining("gateway.test.port=" + taken.getLocalPort())
                    .hasMessageContaining("another process listens there");
            open.open(config, behind().expecting(ListenerSpec.Kind.BROWSERS), PATIENT);
            assertThat(open.listener().port()).isGreaterThan(taken.getLocalPort());
            assertThat(open.get("").body()).isEqualTo("inside");
        }
    }

    @Test
    void letsInUncheckedOnlyWhatIsExempt() throws Exception {
        var spec = behind().exempting(request -> "/open".equals(request.path()));
        open.open(guarded(TOKEN), spec, PATIENT);
        assertThat(open.get("open").statusCode()).isEqualTo(200);
        assertThat(open.get("open/").statusCode()).isEqualTo(401);
        assertThat(open.get("Open").statusCode()).isEqualTo(401);
    }

    /** The exemption depends on the query too, so the query is decoded before any credential is checked. */
    @ParameterizedTest
    @ValueSource(strings = {"a=%zz", "a=%", "a=%1", "%zz", "a=%1_000F"})
    void refusesAQueryThatCannotBeDecodedAndIsNoDefect(String query) throws Exception {
        var spec = behind().exempting(request -> request.params().contains("open"));
        open.open(guarded(TOKEN), spec, PATIENT);
        var answer = open.raw("GET /?" + query + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400").endsWith("the query of this request cannot be decoded\"}");
        assertThat(open.get("?open=%20").statusCode()).isEqualTo(200);
    }

    @Test
    void aDefectOfTheHandlerIsAnAnswerToo() throws Exception {
        var spec = ListenerSpec.of(
                "gateway.test",
                router -> router.route().handler(context -> {
                    throw new IllegalStateException("a secret");
                }));
        open.open(ListenerConfig.loopback(0), spec, PATIENT);
        assertThat(open.get("").statusCode()).isEqualTo(500);
        assertThat(open.get("").body()).doesNotContain("secret");
    }

    @Test
    void keepsAConnectionThroughRefusalsButNotThroughABodyThatIsNotRead() throws Exception {
        open.open(guarded(TOKEN));
        String get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        assertThat(open.raw(get + get + get.replace("Host", "Connection: close\r\nHost"))
                        .split("HTTP/1.1 401"))
                .hasSize(4);
        assertThat(open.raw("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx"))
                .contains("HTTP/1.1 401");
    }

    @Test
    void closesAConnectionThatSendsAHeaderLetterByLetter() throws Exception {
        var hasty = new ListenerTimeouts(
                Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofMinutes(1));
        open.open(ListenerConfig.loopback(0), behind(), hasty);
        assertThat(trickle(open, "")).isEmpty();
        assertThat(trickle(open, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).contains("inside");
        until(() -> open.meters.get("sluice.gateway.connections").gauge().value() == 0);
    }

    /** Sends a header byte by byte for as long as the listener reads, and returns its reply. */
    private static String trickle(OpenListener open, String before) throws Exception {
        try (var socket = new Socket("127.0.0.1", open.listener().port())) {
            socket.setSoTimeout(100);
            socket.getOutputStream().write((before + "GET / HTTP/1.1\r\nX-Slow: ").getBytes(StandardCharsets.US_ASCII));
            var reported = new StringBuilder();
            long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (read(socket.getInputStream(), reported)) {
                assertThat(System.nanoTime()).as("the connection is still open").isLessThan(giveUp);
                socket.getOutputStream().write('x');
            }
            return reported.toString();
        }
    }

    private static boolean read(InputStream stream, StringBuilder reported) {
        try {
            int letter = stream.read();
            while (letter >= 0) {
                reported.append((char) letter);
                letter = stream.read();
            }
            return false;
        } catch (java.net.SocketTimeoutException nothingYet) {
            return true;
        } catch (java.io.IOException hungUp) {
            return false;
        }
    }

    @Test
    void closesConnectionsBeyondItsBound() throws Exception {
        open.open(ListenerConfig.loopback(0), behind().keeping(1, 1), PATIENT);
        try (var first = new Socket("127.0.0.1", open.listener().port())) {
            first.getOutputStream().write('G');
            until(() -> open.meters.get("sluice.gateway.connections").gauge().value() == 1);
            try (var second = new Socket("127.0.0.1", open.listener().port())) {
                second.setSoTimeout(20_000);
                assertThat(second.getInputStream().read()).isNegative();
            }
        }
    }

    @Test
    void closes() throws Exception {
        open.open(ListenerConfig.loopback(0));
        open.listener().close().await();
        assertThatThrownBy(() -> open.get("")).isInstanceOf(java.io.IOException.class);
    }

    private ListenerConfig guarded(String tokens) throws Exception {
        var file = directory.resolve("tokens");
        TestCertificate.replace(file, tokens);
        return new ListenerConfig("127.0.0.1", 0, false, TlsFiles.NONE, file.toString());
    }
}
