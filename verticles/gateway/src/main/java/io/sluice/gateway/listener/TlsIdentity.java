package io.sluice.gateway.listener;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.X509KeyManager;

/**
 * A certificate with its key, which were checked to match: files are seldom both replaced at once.
 *
 * @param cert PEM text
 * @param key PEM text
 * @param until when the certificate ends
 * @param clientCa PEM text of the issuers of clients' certificates; empty if clients need none
 */
record TlsIdentity(Buffer cert, Buffer key, Instant until, Optional<Buffer> clientCa) {
    private static final byte[] PROBE = {1, 2, 3, 4, 5, 6, 7, 8};

    static TlsIdentity of(Vertx vertx, byte[] cert, byte[] key) throws GeneralSecurityException {
        var pem = pem(Buffer.buffer(cert), Buffer.buffer(key));
        try {
            var store = pem.loadKeyStore(vertx);
            var alias = store.aliases().nextElement();
            if (!(store.getCertificate(alias) instanceof X509Certificate certificate)) {
                throw new GeneralSecurityException("it holds no X.509 certificate");
            }
            requirePair(certificate.getPublicKey(), privateKey(vertx, pem, store, alias));
            return new TlsIdentity(
                    pem.getCertValue(),
                    pem.getKeyValue(),
                    certificate.getNotAfter().toInstant(),
                    Optional.empty());
        } catch (GeneralSecurityException wrong) {
            throw wrong;
        } catch (Exception unreadable) {
            throw new GeneralSecurityException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    /** Returns the same for clients with a certificate of these issuers alone. */
    TlsIdentity requiring(Vertx vertx, byte[] issuers) throws GeneralSecurityException {
        var trusted = Buffer.buffer(issuers);
        try {
            if (!trust(trusted).loadKeyStore(vertx).aliases().hasMoreElements()) {
                throw new GeneralSecurityException("it holds no certificate");
            }
        } catch (GeneralSecurityException wrong) {
            throw wrong;
        } catch (Exception unreadable) {
            throw new GeneralSecurityException(String.valueOf(unreadable.getMessage()), unreadable);
        }
        return new TlsIdentity(cert, key, until, Optional.of(trusted));
    }

    /** Returns the options for a server. */
    ServerSSLOptions options() {
        var options = new ServerSSLOptions().setKeyCertOptions(pem(cert, key));
        clientCa.ifPresent(issuers -> options.setTrustOptions(trust(issuers)).setClientAuth(ClientAuth.REQUIRED));
        return options;
    }

    private static PemTrustOptions trust(Buffer issuers) {
        return new PemTrustOptions().addCertValue(issuers);
    }

    private static PemKeyCertOptions pem(Buffer cert, Buffer key) {
        return new PemKeyCertOptions().setCertValue(cert).setKeyValue(key);
    }

    private static PrivateKey privateKey(Vertx vertx, PemKeyCertOptions pem, KeyStore store, String alias)
            throws Exception {
        return Arrays.stream(pem.getKeyManagerFactory(vertx).getKeyManagers())
                .filter(X509KeyManager.class::isInstance)
                .map(X509KeyManager.class::cast)
                .map(keys -> keys.getPrivateKey(alias))
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("it holds no private key"));
    }

    private static void requirePair(PublicKey shown, PrivateKey kept) throws GeneralSecurityException {
        var signing = Signature.getInstance(algorithm(kept));
        signing.initSign(kept);
        signing.update(PROBE);
        var signature = signing.sign();
        boolean belongs = shown.getAlgorithm().equals(kept.getAlgorithm());
        if (belongs) {
            signing.initVerify(shown);
            signing.update(PROBE);
            belongs = signing.verify(signature);
        }
        if (!belongs) {
            throw new GeneralSecurityException("the key is not the certificate's");
        }
    }

    private static String algorithm(PrivateKey key) throws GeneralSecurityException {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> throw new GeneralSecurityException("keys of the kind " + key.getAlgorithm() + " are not served");
        };
    }
}
