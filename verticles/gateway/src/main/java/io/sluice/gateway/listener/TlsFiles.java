package io.sluice.gateway.listener;

import java.util.Objects;

/**
 * The files of a listener's TLS; read again at run time, so that certificates can be renewed.
 *
 * @param cert PEM file with the listener's certificate, followed by those of its issuers; empty without TLS
 * @param key PEM file with the certificate's private key, RSA or EC and unencrypted; empty without TLS
 * @param clientCa PEM file with the issuers of clients' certificates: a client without a certificate of one of them
 *     cannot connect; empty if clients need none
 */
public record TlsFiles(String cert, String key, String clientCa) {
    /** No TLS. */
    public static final TlsFiles NONE = new TlsFiles("", "", "");

    public TlsFiles {
        Objects.requireNonNull(cert, "tls.cert");
        Objects.requireNonNull(key, "tls.key");
        Objects.requireNonNull(clientCa, "tls.clientCa");
        if (cert.isBlank() && !clientCa.isBlank()) {
            throw new IllegalArgumentException(
                    "tls.clientCa is given without tls.cert and tls.key: TLS needs both files");
        }
        if (cert.isBlank() != key.isBlank()) {
            throw new IllegalArgumentException(
                    cert.isBlank()
                            ? "tls.key is given without tls.cert: TLS needs both files"
                            : "tls.cert is given without tls.key: TLS needs both files");
        }
    }

    /** Without certificates of clients. */
    public TlsFiles(String cert, String key) {
        this(cert, key, "");
    }

    /** Returns whether clients need a certificate. */
    public boolean requireClientCertificate() {
        return !clientCa.isBlank();
    }

    /** Returns whether TLS is configured. */
    public boolean areGiven() {
        return !cert.isBlank();
    }
}
