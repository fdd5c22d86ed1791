package io.sluice.bus;

import io.vertx.core.VertxOptions;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the bus of this process meets the others.
 *
 * @param host listened on
 * @param port listened on
 * @param publicHost by which others reach it
 * @param tls without it nobody proves anything, and messages pass as they are
 */
public record BusEndpoint(String host, int port, String publicHost, Optional<BusTls> tls) {
    private static final int CONNECT_TIMEOUT_MS = 2_000;
    private static final long RECONNECT_MS = 100;

    public BusEndpoint {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(publicHost, "publicHost");
        Objects.requireNonNull(tls, "tls");
    }

    /** The options with a bus that listens here. */
    public VertxOptions in(VertxOptions options) {
        options.getEventBusOptions()
                .setHost(host)
                .setPort(port)
                .setClusterPublicHost(publicHost)
                .setClusterPublicPort(port)
                .setConnectTimeout(CONNECT_TIMEOUT_MS)
                .setReconnectInterval(RECONNECT_MS);
        tls.ifPresent(proof -> proof.in(options.getEventBusOptions()));
        return options;
    }
}
