package io.sluice.dashboards;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * The files of a self-signed certificate, made by the JDK's own tool: a listener reports the end of its certificate
 * only if it has one.
 *
 * @param cert the certificate in PEM
 * @param key the key in PEM
 */
record ListenerCertificate(Path cert, Path key) {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String ALIAS = "listener";
    /** Fewer than the alert requires. */
    private static final String VALID_DAYS = "10";

    private static final int LINE = 64;
    private static final int SECONDS_MAX = 60;

    static ListenerCertificate in(Path folder) throws Exception {
        var store = keys(folder.resolve("listener.p12"));
        return new ListenerCertificate(
                pem(
                        folder.resolve("tls.crt"),
                        "CERTIFICATE",
                        store.getCertificate(ALIAS).getEncoded()),
                pem(
                        folder.resolve("tls.key"),
                        "PRIVATE KEY",
                        store.getKey(ALIAS, PASSWORD).getEncoded()));
    }

    private static KeyStore keys(Path file) throws IOException, InterruptedException, GeneralSecurityException {
        var tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-validity",
                        VALID_DAYS,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!tool.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || tool.exitValue() != 0) {
            throw new IOException("keytool made no certificate");
        }
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file)) {
            store.load(stream, PASSWORD);
        }
        return store;
    }

    private static Path pem(Path file, String kind, byte[] der) throws IOException {
        var lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    }
}
