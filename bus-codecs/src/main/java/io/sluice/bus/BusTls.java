package io.sluice.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.Objects;

/**
 * What the processes on the bus prove to each other, on both ends of each connection. The names in a certificate are
 * not compared with the host, which Vert.x does not do on its bus: the issuers must sign for these processes alone.
 *
 * @param cert PEM text of this process's certificate, followed by those of its issuers
 * @param key PEM text of the certificate's private key
 * @param issuers PEM text of the certificates that those of the others must be signed by
 */
public record BusTls(Buffer cert, Buffer key, Buffer issuers) {
    public BusTls {
        Objects.requireNonNull(cert, "cert");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(issuers, "issuers");
    }

    void in(EventBusOptions options) {
        // As the one who connects, Vert.x's bus believes every certificate where it is not asked to look.
        options.setSsl(true)
                .setTrustAll(false)
                .setClientAuth(ClientAuth.REQUIRED)
                .setKeyCertOptions(new PemKeyCertOptions().setCertValue(cert).setKeyValue(key))
                .setTrustOptions(new PemTrustOptions().addCertValue(issuers));
    }
}
