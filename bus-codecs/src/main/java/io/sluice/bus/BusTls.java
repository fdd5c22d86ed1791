package io.sluice.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.Objects;

/**
 * The TLS identity of a process on the bus, checked at both ends of each connection. Vert.x does not compare the names
 * in a certificate with the host on its bus, so the issuers must sign for these processes alone.
 *
 * @param cert PEM text of this process's certificate, followed by those of its issuers
 * @param key PEM text of the certificate's private key
 * @param issuers PEM text of the certificates that must have signed those of the other processes
 */
public record BusTls(Buffer cert, Buffer key, Buffer issuers) {
    public BusTls {
        Objects.requireNonNull(cert, "cert");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(issuers, "issuers");
    }

    void in(EventBusOptions options) {
        // As a client, Vert.x's bus accepts every certificate unless it is configured to check.
        options.setSsl(true)
                .setTrustAll(false)
                .setClientAuth(ClientAuth.REQUIRED)
                .setKeyCertOptions(new PemKeyCertOptions().setCertValue(cert).setKeyValue(key))
                .setTrustOptions(new PemTrustOptions().addCertValue(issuers));
    }
}
