package io.sluice.gateway.listener;

import static io.sluice.gateway.ListenerFixture.until;
import static io.sluice.gateway.listener.OpenListener.PATIENT;
import static io.sluice.gateway.listener.OpenListener.TOKEN;
import static io.sluice.gateway.listener.OpenListener.bearing;
import static io.sluice.gateway.listener.OpenListener.behind;
import static io.sluice.gateway.listener.OpenListener.requesting;
import static io.sluice.gateway.listener.OpenListener.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class ListenerReloadTest {
    private static final String NEXT_TOKEN = "the-token-that-follows";
    private static final ListenerTimeouts WATCHFUL = new ListenerTimeouts(
            Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMillis(50));

    private static TestCertificate first;
    private static TestCertificate second;

    @TempDir
    private static Path shared;

    @TempDir
    private Path directory;

    private OpenListener open;
    private Path tokenFile;
    private ListenerConfig config;

    @BeforeAll
    static void makeCertificates() throws Exception {
        first = TestCertificate.of("EC", shared);
        second = TestCertificate.of("RSA", shared);
    }

    @BeforeEach
    void writeFiles(Vertx vertx) throws Exception {
        open = new OpenListener(vertx);
        tokenFile = directory.resolve("tokens");
        TestCertificate.replace(tokenFile, TOKEN);
        config = new ListenerConfig("127.0.0.1", 0, false, first.writeTo(directory), tokenFile.toString());
    }

    @Test
    void takesNewTokensWhileTheOldOnesStillCount() throws Exception {
        open.open(config);
        TestCertificate.replace(tokenFile, TOKEN + "\n" + NEXT_TOKEN);
        open.listener().reload(config).await();
        assertThat(status(TOKEN)).isEqualTo(200);
        assertThat(status(NEXT_TOKEN)).isEqualTo(200);
        TestCertificate.replace(tokenFile, NEXT_TOKEN);
        open.listener().reload(config).await();
        assertThat(status(TOKEN)).isEqualTo(401);
        assertThat(status(NEXT_TOKEN)).isEqualTo(200);
        assertThat(open.count("sluice.gateway.renewals", "listener", "test", "kind", "tokens", "outcome", "taken"))
                .isEqualTo(3);
    }

    @Test
    void showsANewCertificateToTheNextCallerAndKeepsTheConnectionsThatItHas() throws Exception {
        open.open(config);
        try (var held = connect()) {
            request(held);
            second.writeTo(directory);
            open.listener().reload(config).await();
            assertThat(shown()).isEqualTo(second.certificate());
            request(held);
        }
    }

    @Test
    void closesOpenConnectionsWhenATokenGoes() throws Exception {
        open.open(config);
        try (var held = connect()) {
            request(held);
            TestCertificate.replace(tokenFile, TOKEN + "\n" + NEXT_TOKEN);
            open.listener().reload(config).await();
            request(held);
            TestCertificate.replace(tokenFile, NEXT_TOKEN);
            open.listener().reload(config).await();
            assertThat(held.getInputStream().read()).isNegative();
        }
    }

    @Test
    void closesOpenConnectionsWithoutATokenWhenAFirstOneComes() throws Exception {
        open.open(new ListenerConfig("127.0.0.1", 0, false, config.tls(), ""), behind(), PATIENT);
        try (var held = connect()) {
            request(held);
            open.listener().reload(config).await();
            assertThat(held.getInputStream().read()).isNegative();
        }
        assertThat(status(NEXT_TOKEN)).isEqualTo(401);
        assertThat(status(TOKEN)).isEqualTo(200);
    }

    @Test
    void takesOtherFilesThatAreNamed() throws Exception {
        open.open(config);
        var elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        var tokens = elsewhere.resolve("tokens");
        TestCertificate.replace(tokens, NEXT_TOKEN);
        open.listener()
                .reload(new ListenerConfig("127.0.0.1", 0, false, second.writeTo(elsewhere), tokens.toString()))
                .await();
        assertThat(shown()).isEqualTo(second.certificate());
        assertThat(send(bearing(requesting(open.listener(), ""), NEXT_TOKEN), second.trusting())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void anUnreadableReloadChangesNothingAndReportsWhy() throws Exception {
        open.open(config);
        TestCertificate.replace(tokenFile, NEXT_TOKEN);
        TestCertificate.replace(Path.of(config.tls().cert()), "no certificate");
        assertThatThrownBy(() -> open.listener().reload(config).await())
                .hasMessageContaining("gateway.test.tls.cert=" + config.tls().cert());
        assertThat(shown()).isEqualTo(first.certificate());
        assertThat(status(TOKEN)).isEqualTo(200);
    }

    @Test
    void refusesWhatTakesARestart() throws Exception {
        open.open(config);
        refuses(config.at(open.listener().port()), "gateway.test: a change of host or port needs a restart");
        refuses(new ListenerConfig("127.0.0.1", 0, false, TlsFiles.NONE, tokenFile.toString()), "needs a restart");
        assertThat(status(TOKEN)).isEqualTo(200);
    }

    private void refuses(ListenerConfig next, String words) {
        assertThatThrownBy(() -> open.listener().reload(next).await()).hasMessageContaining(words);
    }

    @Test
    void noticesByItselfThatFilesChanged() throws Exception {
        open.open(config, behind(), WATCHFUL);
        TestCertificate.replace(tokenFile, NEXT_TOKEN);
        until(() ->
                open.count("sluice.gateway.renewals", "listener", "test", "kind", "tokens", "outcome", "taken") == 2);
        assertThat(status(NEXT_TOKEN)).isEqualTo(200);
        // The certificate is written first and its key a little later: in between they do not match and are not taken.
        TestCertificate.replace(Path.of(config.tls().cert()), second.certPem());
        until(() -> failures() > 1);
        assertThat(shown()).isEqualTo(first.certificate());
        TestCertificate.replace(Path.of(config.tls().key()), second.keyPem());
        var renewed = second.certificate();
        until(() -> shown().equals(renewed));
    }

    @Test
    void goesOnWithTheLastGoodTokensWhenTheFileIsGone() throws Exception {
        open.open(config, behind(), WATCHFUL);
        Files.delete(tokenFile);
        until(() ->
                open.count("sluice.gateway.renewals", "listener", "test", "kind", "tokens", "outcome", "failed") > 1);
        assertThat(status(TOKEN)).isEqualTo(200);
        assertThat(status(NEXT_TOKEN)).isEqualTo(401);
    }

    /** Closing waits for readings, so they must not become ever more on a slow machine. */
    @Test
    void readsItsFilesOnceHoweverOftenThatFallsDueMeanwhile(Vertx vertx) throws Exception {
        Files.delete(tokenFile);
        var secrets = new ListenerSecrets(vertx, open.shell, config, behind());
        var quiet = Promise.<Void>promise();
        vertx.runOnContext(go -> {
            for (int i = 0; i < 100; i++) {
                secrets.again();
            }
            secrets.quiet().onComplete(quiet);
        });
        quiet.future().await();

        assertThat(open.count("sluice.gateway.renewals", "listener", "test", "kind", "tokens", "outcome", "failed"))
                .isEqualTo(1);
    }

    private double failures() {
        return open.count("sluice.gateway.renewals", "listener", "test", "kind", "certificate", "outcome", "failed");
    }

    private int status(String token) throws Exception {
        return send(bearing(requesting(open.listener(), ""), token), first.trusting())
                .statusCode();
    }

    private X509Certificate shown() {
        try (var socket = connect()) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private void request(SSLSocket socket) throws Exception {
        var request = "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + TOKEN + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes());
        var answer = new byte[12];
        assertThat(socket.getInputStream().readNBytes(answer, 0, answer.length)).isEqualTo(answer.length);
        assertThat(new String(answer)).isEqualTo("HTTP/1.1 200");
        while (socket.getInputStream().read() != 'e' || socket.getInputStream().available() > 0) {
            // The reply ends with "inside"; the next one is read from its start.
        }
    }

    private SSLSocket connect() throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new X509TrustManager[] {new TrustAnything()}, null);
        var socket = (SSLSocket) context.getSocketFactory()
                .createSocket("127.0.0.1", open.listener().port());
        socket.setSoTimeout(20_000);
        socket.startHandshake();
        return socket;
    }

    /** The test checks the certificate itself. */
    private static final class TrustAnything implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
