package io.sluice.workers;

import io.sluice.workers.identity.CertificateAuthority;
import io.sluice.workers.identity.CertificateName;
import io.sluice.workers.identity.IdentityFiles;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The certificates of both listeners and whom they admit: from the operator's files, or issued by this process. They
 * change without a restart.
 */
final class ListenerTls {
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");
    private static final List<String> PROTOCOLS = List.of("h2", "http/1.1");
    private static final String ADMIN = "admin";

    private final WorkersConfig config;
    private final Optional<CertificateAuthority> authority;
    private Optional<Material> material = Optional.empty();
    private Instant renewAt = Instant.MIN;

    private record Material(Buffer key, Buffer certificate, Buffer clientCa) {}

    private ListenerTls(WorkersConfig config, Optional<CertificateAuthority> authority) {
        this.config = config;
        this.authority = authority;
    }

    /** Reads or makes them; takes a while. */
    static ListenerTls of(WorkersConfig config, Instant now) throws IOException {
        var enrolment = config.enrolment();
        Optional<CertificateAuthority> own = enrolment.enabled()
                ? Optional.of(CertificateAuthority.in(Path.of(enrolment.authority()), now))
                : Optional.empty();
        var tls = new ListenerTls(config, own);
        tls.renew(now);
        return tls;
    }

    /** Who issues certificates here; empty if the operator does. */
    Optional<CertificateAuthority> authority() {
        return authority;
    }

    /** Reads or makes them anew where it is time; returns whether they changed. Takes a while. */
    boolean renew(Instant now) throws IOException {
        Optional<Material> next = Optional.empty();
        if (authority.isPresent()) {
            renewAdmin(authority.get(), now);
            next = now.isBefore(renewAt) ? material : Optional.of(issued(authority.get(), now));
        } else if (config.tls().namesClients()) {
            next = Optional.of(read());
        }
        boolean changed = !next.equals(material);
        material = next;
        return changed;
    }

    private Material read() throws IOException {
        var files = config.tls();
        return new Material(read(files.key()), read(files.cert()), read(files.clientCa()));
    }

    private static Buffer read(String file) throws IOException {
        return Buffer.buffer(Files.readAllBytes(Path.of(file)));
    }

    private Material issued(CertificateAuthority issuer, Instant now) {
        var life = config.enrolment().certificateLife();
        var names = new ArrayList<>(LOOPBACK);
        names.addAll(config.enrolment().names());
        var issued = issuer.listener(names, life, now);
        renewAt =
                now.plus(Duration.between(now, issued.endsAt()).multipliedBy(2).dividedBy(3));
        return new Material(
                Buffer.buffer(issued.key()), Buffer.buffer(issued.certificate()), Buffer.buffer(issuer.pem()));
    }

    /** The command line on this machine is a controller. */
    private void renewAdmin(CertificateAuthority issuer, Instant now) throws IOException {
        var files = new IdentityFiles(Path.of(config.enrolment().authority()), ADMIN);
        if (!files.areValid(now) || !now.isBefore(files.renewAt())) {
            issuer.renew(
                    files,
                    List.of(CertificateName.controller(ADMIN)),
                    config.enrolment().certificateLife(),
                    now);
        }
    }

    /** For the listener of workers: a machine that enrolls has no certificate yet. */
    Optional<ServerSSLOptions> workers() {
        return options(authority.isPresent() ? ClientAuth.REQUEST : ClientAuth.REQUIRED);
    }

    /** For the listener of controllers. */
    Optional<ServerSSLOptions> controllers() {
        return options(ClientAuth.REQUIRED);
    }

    private Optional<ServerSSLOptions> options(ClientAuth auth) {
        return material.map(files -> {
            var options = new ServerSSLOptions().setClientAuth(auth);
            options.setKeyCertOptions(
                    new PemKeyCertOptions().addKeyValue(files.key()).addCertValue(files.certificate()));
            options.setUseAlpn(true).setApplicationLayerProtocols(PROTOCOLS);
            options.setTrustOptions(new PemTrustOptions().addCertValue(files.clientCa()));
            return options;
        });
    }

    /** Those of a server that is not open yet. */
    static void apply(HttpServerOptions server, ServerSSLOptions options) {
        server.setSsl(true)
                .setUseAlpn(true)
                .setClientAuth(options.getClientAuth())
                .setKeyCertOptions(options.getKeyCertOptions())
                .setTrustOptions(options.getTrustOptions());
    }
}
