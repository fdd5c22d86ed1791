package io.sluice.bench.workers;

import io.sluice.workers.WorkersTls;
import io.vertx.core.http.HttpClientOptions;
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
 * A certificate for each of many workers, all of one key, so that they are made in seconds: keytool makes the first
 * one, and the others differ in their name and signature.
 */
final class WorkerCertificates {
    private static final String PASSWORD = "password";
    private static final String SIGNED_WITH = "SHA256withECDSA";
    private static final int SHORT_LENGTH_MAX = 127;
    private static final long SHAKE_SECONDS_MAX = 60;

    private final Path directory;
    private final KeyStore store;

    WorkerCertificates(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        this.directory = directory;
        keytool("-alias", "ca", "-dname", "CN=bench", "-ext", "bc:c=ca:true");
        keytool("-alias", "server", "-dname", "CN=server", "-signer", "ca", "-ext", "san=ip:127.0.0.1");
        keytool("-alias", "worker", "-dname", "CN=" + name(0), "-signer", "ca");
        store = KeyStore.getInstance(path().toFile(), PASSWORD.toCharArray());
    }

    /** The name of a worker; all have the same length. */
    static String name(int worker) {
        return String.format(Locale.ROOT, "w%06d", worker);
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

    /** The files of the server, which a controller has too. */
    WorkersTls server() throws IOException, GeneralSecurityException {
        return new WorkersTls(
                pem("server.crt", "CERTIFICATE", store.getCertificate("server").getEncoded()),
                pem("server.key", "PRIVATE KEY", key("server").getEncoded()),
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

    /** Has a worker connect with its certificate. */
    void use(int worker, HttpClientOptions options) throws GeneralSecurityException {
        options.setSsl(true)
                .setUseAlpn(true)
                .setVerifyHost(false)
                .setSslHandshakeTimeout(SHAKE_SECONDS_MAX)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setKeyCertOptions(KeyCertOptions.wrap(new OneKey(certificate(worker), key("worker"))))
                .setTrustOptions(TrustOptions.wrap(new AnyServer()));
    }

    private X509Certificate certificate(int worker) throws GeneralSecurityException {
        var first = (X509Certificate) store.getCertificate("worker");
        var contents = first.getTBSCertificate();
        var named = renamed(contents, name(worker));
        var signing = Signature.getInstance(SIGNED_WITH);
        signing.initSign(key("ca"));
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

    private static byte[] renamed(byte[] contents, String name) {
        var text = new String(contents, StandardCharsets.ISO_8859_1);
        return text.replace(name(0), name).getBytes(StandardCharsets.ISO_8859_1);
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
