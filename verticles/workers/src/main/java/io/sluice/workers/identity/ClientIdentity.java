package io.sluice.workers.identity;

import io.vertx.core.http.HttpConnection;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The identity of the peer that opened a connection, by its certificate.
 *
 * @param encrypted whether the connection has TLS
 * @param names what the certificate names; empty if there is none, or if it is of no use here
 * @param key the fingerprint of the public key; empty without a certificate
 * @param endsAt when the certificate ends
 */
public record ClientIdentity(boolean encrypted, List<CertificateName> names, String key, Instant endsAt) {
    private static final int URI = 6;
    private static final String KNOWN = ClientIdentity.class.getName();
    private static final ClientIdentity PLAIN = new ClientIdentity(false, List.of(), "", Instant.MAX);
    private static final ClientIdentity NAMELESS = new ClientIdentity(true, List.of(), "", Instant.MAX);

    public ClientIdentity {
        names = List.copyOf(names);
    }

    /** Of the peer at the other end. */
    public static ClientIdentity of(HttpConnection connection) {
        if (!connection.isSsl()) {
            return PLAIN;
        }
        var session = connection.sslSession();
        if (session.getValue(KNOWN) instanceof ClientIdentity known) {
            return known;
        }
        try {
            // A site opens many streams over its connection.
            var identity = of((X509Certificate) session.getPeerCertificates()[0]);
            session.putValue(KNOWN, identity);
            return identity;
        } catch (SSLPeerUnverifiedException withoutCertificate) {
            return NAMELESS;
        }
    }

    static ClientIdentity of(X509Certificate certificate) {
        try {
            var names = names(certificate);
            boolean one = names.stream().map(CertificateName::kind).distinct().count() == 1;
            return one
                    ? new ClientIdentity(
                            true,
                            names,
                            fingerprint(certificate.getPublicKey().getEncoded()),
                            certificate.getNotAfter().toInstant())
                    : NAMELESS;
        } catch (CertificateParsingException | InvalidNameException unreadable) {
            return NAMELESS;
        }
    }

    /** Without a name of Sluice it is a worker's, of its common name: that is how operators' own issuers name them. */
    private static List<CertificateName> names(X509Certificate certificate)
            throws CertificateParsingException, InvalidNameException {
        var names = new ArrayList<CertificateName>();
        for (var alternative :
                Optional.ofNullable(certificate.getSubjectAlternativeNames()).orElse(List.of())) {
            uri(alternative).flatMap(CertificateName::read).ifPresent(names::add);
        }
        if (names.isEmpty()) {
            new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
                            .findFirst()
                            .ifPresent(rdn -> names.add(CertificateName.worker(String.valueOf(rdn.getValue()))));
        }
        return names;
    }

    private static Optional<String> uri(Collection<?> alternative) {
        var parts = List.copyOf(alternative);
        return Integer.valueOf(URI).equals(parts.getFirst())
                ? Optional.of(String.valueOf(parts.getLast()))
                : Optional.empty();
    }

    static String fingerprint(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether it may register the worker of that id. Without TLS any peer may. */
    public boolean mayBeWorker(String id) {
        return !encrypted
                || names.stream().anyMatch(name -> name.kind() == CertificateName.Kind.WORKER && name.covers(id));
    }

    /** Whether it may request what controllers do. Without TLS any peer may. */
    public boolean mayControl() {
        return !encrypted || names.stream().anyMatch(name -> name.kind() == CertificateName.Kind.CONTROLLER);
    }

    /** The id of a worker whose certificate names no other. */
    public Optional<String> onlyWorker() {
        return names.size() == 1
                ? names.stream()
                        .filter(name -> name.kind() == CertificateName.Kind.WORKER
                                && !name.name().endsWith("*"))
                        .map(CertificateName::name)
                        .findFirst()
                : Optional.empty();
    }
}
