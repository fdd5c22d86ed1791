package io.sluice.gateway.listener;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for this machine, created by the JDK's own tool on demand. */
public final class TestCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final KeyStore store;

    private TestCertificate(KeyStore store) {
        this.store = store;
    }

    /**
     * Creates a new one.
     *
     * @param keys RSA, EC or Ed25519
     */
    public static TestCertificate of(String keys, Path directory) throws Exception {
        var file = Files.createTempDirectory(directory, "keys").resolve("store.p12");
        var tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "listener",
                        "-keyalg",
                        keys,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!tool.waitFor(60, TimeUnit.SECONDS) || tool.exitValue() != 0) {
            throw new IOException("keytool made no certificate");
        }
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file)) {
            store.load(stream, PASSWORD);
        }
        return new TestCertificate(store);
    }

    public X509Certificate certificate() throws GeneralSecurityException {
        return (X509Certificate) store.getCertificate("listener");
    }

    public String certPem() throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate().getEncoded());
    }

    public String keyPem() throws GeneralSecurityException {
        return pem("PRIVATE KEY", store.getKey("listener", PASSWORD).getEncoded());
    }

    /** Writes both files, each atomically. */
    public TlsFiles writeTo(Path directory) throws Exception {
        replace(directory.resolve("tls.crt"), certPem());
        replace(directory.resolve("tls.key"), keyPem());
        return new TlsFiles(
                directory.resolve("tls.crt").toString(),
                directory.resolve("tls.key").toString());
    }

    /** For a client that trusts this certificate and no other. */
    public SSLContext trusting() throws GeneralSecurityException, IOException {
        return context(null);
    }

    private SSLContext context(KeyManager[] keys) throws GeneralSecurityException, IOException {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("listener", certificate());
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(keys, factory.getTrustManagers(), null);
        return context;
    }

    /** For a client that presents this certificate and trusts another one alone. */
    public SSLContext connectingTo(TestCertificate server) throws GeneralSecurityException, IOException {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        return server.context(keys.getKeyManagers());
    }

    public static void replace(Path file, String text) throws IOException {
        var whole = Files.createTempFile(file.getParent(), "new", "");
        Files.writeString(whole, text);
        Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String pem(String kind, byte[] der) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + kind + "-----\n";
    }
}
