package io.sluice.workers;

import io.vertx.core.http.HttpConnection;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The identity of the peer that opened a connection, by its certificate.
 *
 * @param name the common name; empty without TLS
 * @param key the fingerprint of the public key; empty without TLS
 */
record PeerIdentity(Optional<String> name, String key) {
    private static final PeerIdentity UNKNOWN = new PeerIdentity(Optional.empty(), "");

    static PeerIdentity of(HttpConnection connection) {
        if (!connection.isSsl()) {
            return UNKNOWN;
        }
        try {
            var certificate = (X509Certificate) connection.sslSession().getPeerCertificates()[0];
            var digest = MessageDigest.getInstance("SHA-256")
                    .digest(certificate.getPublicKey().getEncoded());
            return new PeerIdentity(commonName(certificate), HexFormat.of().formatHex(digest));
        } catch (SSLPeerUnverifiedException | InvalidNameException withoutName) {
            return new PeerIdentity(Optional.of(""), "");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Optional<String> commonName(X509Certificate certificate) throws InvalidNameException {
        return new LdapName(certificate.getSubjectX500Principal().getName())
                .getRdns().stream()
                        .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
                        .map(rdn -> String.valueOf(rdn.getValue()))
                        .findFirst()
                        .or(() -> Optional.of(""));
    }
}
