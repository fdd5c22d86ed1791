package io.sluice.hostile;

import io.sluice.gateway.listener.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority for tests, certificates that it has signed, and one that it has not; made by the JDK's own
 * tool.
 */
public final class Certificates {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String AUTHORITY = "authority";

    private static Certificates made;

    private final KeyStore store;
    private final Path directory;

    /** The certificates that a server may present. */
    enum Kind {
        GOOD("-ext", "SAN=dns:localhost,ip:127.0.0.1", "-validity", "2", "-signer", AUTHORITY),
        UNKNOWN_AUTHORITY("-ext", "SAN=dns:localhost,ip:127.0.0.1", "-validity", "2"),
        WRONG_NAME("-ext", "SAN=dns:elsewhere.example,ip:127.0.0.9", "-validity", "2", "-signer", AUTHORITY),
        EXPIRED("-ext", "SAN=dns:localhost,ip:127.0.0.1", "-startdate", "-3d", "-validity", "1", "-signer", AUTHORITY);

        private final List<String> options;

        Kind(String... options) {
            this.options = List.of(options);
        }
    }

    /** Writes all files once: tests that run beside each other read them. */
    private Certificates(KeyStore store, Path directory) throws GeneralSecurityException, IOException {
        this.store = store;
        this.directory = directory;
        var good = Kind.GOOD.name();
        Files.writeString(
                authorityFile(),
                pem("CERTIFICATE", store.getCertificate(AUTHORITY).getEncoded()));
        Files.writeString(
                certificateFile(), pem("CERTIFICATE", store.getCertificate(good).getEncoded()));
        Files.writeString(
                keyFile(), pem("PRIVATE KEY", store.getKey(good, PASSWORD).getEncoded()));
        Files.writeString(tokenFile(), "a-token");
    }

    /** The certificates of this run, shared because making them takes seconds. */
    public static synchronized Certificates ofThisRun() throws Exception {
        if (made == null) {
            made = in(Files.createTempDirectory(Path.of("target"), "certificates"));
        }
        return made;
    }

    private static Certificates in(Path directory) throws Exception {
        var file = directory.resolve("store.p12");
        make(file, AUTHORITY, "CN=authority", List.of("-ext", "bc:c", "-validity", "9", "-startdate", "-5d"));
        for (var kind : Kind.values()) {
            var subject = kind == Kind.WRONG_NAME ? "CN=elsewhere.example" : "CN=localhost";
            make(file, kind.name(), subject, kind.options);
        }
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file)) {
            store.load(stream, PASSWORD);
        }
        return new Certificates(store, directory);
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + kind + "-----\n";
    }

    /** The valid certificate and its key, for a listener. */
    public TlsFiles files() {
        return new TlsFiles(certificateFile().toString(), keyFile().toString());
    }

    private Path certificateFile() {
        return directory.resolve("tls.crt");
    }

    private Path keyFile() {
        return directory.resolve("tls.key");
    }

    /** For a client that sends a token: its content is {@code a-token}. */
    public Path tokenFile() {
        return directory.resolve("token");
    }

    private static void make(Path file, String alias, String subject, List<String> options) throws Exception {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-dname",
                subject,
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD)));
        command.addAll(options);
        var tool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!tool.waitFor(120, TimeUnit.SECONDS) || tool.exitValue() != 0) {
            throw new IOException("keytool made no certificate " + alias);
        }
    }

    /** The authority's own certificate, in PEM. */
    public Path authorityFile() {
        return directory.resolve("authority.pem");
    }

    /** For a client that trusts only this authority. */
    public SSLContext trusting() {
        try {
            var trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(AUTHORITY, store.getCertificate(AUTHORITY));
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** For a server that presents that certificate. */
    SSLContext showing(Kind kind) throws GeneralSecurityException, IOException {
        var shown = KeyStore.getInstance("PKCS12");
        shown.load(null, null);
        shown.setKeyEntry(
                "shown", store.getKey(kind.name(), PASSWORD), PASSWORD, store.getCertificateChain(kind.name()));
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(shown, PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }
}
