package io.sluice.gateway.listener;

import java.util.Objects;

/**
 * The files of a listener's TLS; read again at run time, so that certificates can be renewed.
 *
 * @param cert PEM file with the listener's certificate, followed by those of its issuers; empty without TLS
 * @param key PEM file with the certificate's private key, RSA or EC and unencrypted; empty without TLS
 */
public record TlsFiles(String cert, String key) {
    /** No TLS. */
    public static final TlsFiles NONE = new TlsFiles("", "");

    public TlsFiles {
        Objects.requireNonNull(cert, "tls.cert");
        Objects.requireNonNull(key, "tls.key");
        if (cert.isBlank() != key.isBlank()) {
            throw new IllegalArgumentException(
                    cert.isBlank()
                            ? "tls.key is given without tls.cert: TLS needs both files"
                            : "tls.cert is given without tls.key: TLS needs both files");
        }
    }

    /** Returns whether TLS is configured. */
    public boolean areGiven() {
        return !cert.isBlank();
    }
}
