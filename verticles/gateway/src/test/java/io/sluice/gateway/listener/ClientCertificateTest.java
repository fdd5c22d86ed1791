package io.sluice.gateway.listener;

import static io.sluice.gateway.listener.OpenListener.requesting;
import static io.sluice.gateway.listener.OpenListener.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A listener that admits clients by their certificates; each client is its own issuer. */
@ExtendWith(VertxExtension.class)
class ClientCertificateTest {
    private static TestCertificate server;
    private static TestCertificate first;
    private static TestCertificate second;

    @TempDir
    private static Path shared;

    @TempDir
    private Path directory;

    private OpenListener open;
    private Path issuers;
    private ListenerConfig config;

    @BeforeAll
    static void makeCertificates() throws Exception {
        server = TestCertificate.of("EC", shared);
        first = TestCertificate.of("EC", shared);
        second = TestCertificate.of("RSA", shared);
    }

    @BeforeEach
    void writeFiles(Vertx vertx) throws Exception {
        open = new OpenListener(vertx);
        issuers = Files.writeString(directory.resolve("ca.crt"), first.certPem());
        var own = server.writeTo(directory);
        config = new ListenerConfig("127.0.0.1", 0, false, new TlsFiles(own.cert(), own.key(), issuers.toString()), "");
    }

    @Test
    void admitsClientsOfItsIssuersAlone() throws Exception {
        open.open(config);

        assertThat(request(first.connectingTo(server))).isEqualTo("inside");
        refuses(second.connectingTo(server));
        refuses(server.trusting());
    }

    @Test
    void takesOtherIssuersWhileItRuns() throws Exception {
        open.open(config);
        Files.writeString(issuers, second.certPem());
        open.listener().reload(config).await();

        assertThat(request(second.connectingTo(server))).isEqualTo("inside");
        refuses(first.connectingTo(server));

        Files.writeString(issuers, first.certPem() + second.certPem());
        open.listener().reload(config).await();

        assertThat(request(first.connectingTo(server))).isEqualTo("inside");
        assertThat(request(second.connectingTo(server))).isEqualTo("inside");
    }

    @Test
    void issuersThatCannotBeReadChangeNothing() throws Exception {
        open.open(config);
        Files.writeString(issuers, "no certificate");

        assertThatThrownBy(() -> open.listener().reload(config).await())
                .hasMessageContaining("gateway.test.tls.clientCa=" + issuers);
        refuses(server.trusting());
        assertThat(request(first.connectingTo(server))).isEqualTo("inside");
    }

    private String request(SSLContext client) throws Exception {
        return send(requesting(open.listener(), ""), client).body();
    }

    private void refuses(SSLContext client) {
        assertThatThrownBy(() -> request(client)).isInstanceOf(IOException.class);
    }
}
