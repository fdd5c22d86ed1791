package io.sluice.gateway.listener;

import java.util.Objects;

/**
 * The files that a door's TLS is made of; read again while it runs, so that certificates can be renewed.
 *
 * @param cert PEM file with the door's certificate, followed by those of its issuers; empty for a door without TLS
 * @param key PEM file with the certificate's private key, RSA or EC and unencrypted; empty for a door without TLS
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

    /** Whether there is TLS at all. */
    public boolean areGiven() {
        return !cert.isBlank();
    }
}
