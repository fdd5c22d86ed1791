package io.sluice.bench.workers;

import io.sluice.workers.WorkersTls;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;

/**
 * A certificate for each of many connections, all of one key, so that they are made in seconds: keytool makes the first
 * one, and the others differ in their name and signature.
 */
final class WorkerCertificates {
    private static final String PASSWORD = "password";
    private static final String SIGNED_WITH = "SHA256withECDSA";
    private static final int SHORT_LENGTH_MAX = 127;
    private static final long SHAKE_SECONDS_MAX = 60;

    private final Path directory;
    private final KeyStore store;
    private final PrivateKey authority;
    private final PrivateKey worker;
    private final int perSite;

    /** @param perSite how many workers a certificate speaks for: 1, 10, 100 or 1 000 */
    WorkerCertificates(Path directory, int perSite) throws IOException, InterruptedException, GeneralSecurityException {
        this.directory = directory;
        this.perSite = perSite;
        keytool("-alias", "ca", "-dname", "CN=bench", "-ext", "bc:c=ca:true");
        keytool("-alias", "server", "-dname", "CN=server", "-signer", "ca", "-ext", "san=ip:127.0.0.1");
        keytool("-alias", "worker", "-dname", "CN=" + subject(0), "-signer", "ca");
        keytool(
                "-alias",
                "bench",
                "-dname",
                "CN=bench",
                "-signer",
                "ca",
                "-ext",
                "san=uri:urn:sluice:controller:bench");
        store = KeyStore.getInstance(path().toFile(), PASSWORD.toCharArray());
        authority = key("ca");
        worker = key("worker");
    }

    /** The name of a worker; all have the same length. */
    static String name(int worker) {
        return String.format(Locale.ROOT, "w%06d", worker);
    }

    /** What the certificate of a connection names; all have the same length. */
    private String subject(int site) {
        var first = name(site * perSite);
        int digits = Integer.toString(perSite).length() - 1;
        return digits == 0 ? first : first.substring(0, first.length() - digits) + "*";
    }

    private Path path() {
        return directory.resolve("bench.p12");
    }

    private void keytool(String... what) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                // That of Sluice's own authority; keytool's own choice costs several times as much in each handshake.
                "-groupname",
                "secp256r1",
                "-sigalg",
                SIGNED_WITH,
                "-storetype",
                "PKCS12",
                "-keystore",
                path().toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(what));
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("keytool made no certificate");
        }
    }

    /** The files of the server, or of the controller. */
    WorkersTls files(String alias) throws IOException, GeneralSecurityException {
        return new WorkersTls(
                pem(alias + ".crt", "CERTIFICATE", store.getCertificate(alias).getEncoded()),
                pem(alias + ".key", "PRIVATE KEY", key(alias).getEncoded()),
                pem("ca.crt", "CERTIFICATE", store.getCertificate("ca").getEncoded()));
    }

    private String pem(String file, String kind, byte[] content) throws IOException {
        var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        var written = Files.writeString(
                directory.resolve(file), "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
        return written.toString();
    }

    private PrivateKey key(String alias) throws GeneralSecurityException {
        return (PrivateKey) store.getKey(alias, PASSWORD.toCharArray());
    }

    /** How a connection of this number is encrypted, with its certificate. */
    ClientSSLOptions options(int site) throws GeneralSecurityException {
        var options = new ClientSSLOptions().setHostnameVerificationAlgorithm("");
        options.setUseAlpn(true)
                .setApplicationLayerProtocols(List.of("h2"))
                .setSslHandshakeTimeout(SHAKE_SECONDS_MAX)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setKeyCertOptions(KeyCertOptions.wrap(new OneKey(certificate(site), worker)))
                .setTrustOptions(TrustOptions.wrap(new AnyServer()));
        return options;
    }

    private X509Certificate certificate(int site) throws GeneralSecurityException {
        var first = (X509Certificate) store.getCertificate("worker");
        var contents = first.getTBSCertificate();
        var named = renamed(contents, subject(0), subject(site));
        var signing = Signature.getInstance(SIGNED_WITH);
        signing.initSign(authority);
        signing.update(named);
        var signature = signing.sign();
        // Between the contents and the signature's bits stands the name of the algorithm.
        var whole = first.getEncoded();
        int algorithmFrom = 4 + contents.length;
        int algorithmTo = algorithmFrom + 2 + whole[algorithmFrom + 1];
        var bits = sequence(0x03, new byte[] {0}, signature);
        var encoded = sequence(0x30, named, Arrays.copyOfRange(whole, algorithmFrom, algorithmTo), bits);
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static byte[] renamed(byte[] contents, String before, String name) {
        var text = new String(contents, StandardCharsets.ISO_8859_1);
        return text.replace(before, name).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] sequence(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (var part : parts) {
            content.writeBytes(part);
        }
        var encoded = new ByteArrayOutputStream();
        encoded.write(tag);
        if (content.size() > SHORT_LENGTH_MAX) {
            encoded.write(0x82);
            encoded.write(content.size() >> 8);
        }
        encoded.write(content.size());
        encoded.writeBytes(content.toByteArray());
        return encoded.toByteArray();
    }

    /** The server is this bench's own. */
    private static final class AnyServer implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {
            // Checked by nobody.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static final class OneKey extends X509ExtendedKeyManager {
        private static final String ALIAS = "worker";
        private final X509Certificate certificate;
        private final PrivateKey key;

        OneKey(X509Certificate certificate, PrivateKey key) {
            this.certificate = certificate;
            this.key = key;
        }

        @Override
        public String chooseEngineClientAlias(String[] kinds, Principal[] issuers, SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public String[] getClientAliases(String kind, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseClientAlias(String[] kinds, Principal[] issuers, Socket socket) {
            return ALIAS;
        }

        @Override
        public String[] getServerAliases(String kind, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseServerAlias(String kind, Principal[] issuers, Socket socket) {
            return "";
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {certificate};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }
    }
}
