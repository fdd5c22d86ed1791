package io.sluice.bus;

import io.vertx.core.VertxOptions;
import java.util.Objects;
import java.util.Optional;

/**
 * The address and port of this process's end of the bus.
 *
 * @param host the local address to bind
 * @param port the port to bind
 * @param publicHost the host by which other processes reach this one
 * @param tls TLS of the connections; without it they are neither authenticated nor encrypted
 */
public record BusEndpoint(String host, int port, String publicHost, Optional<BusTls> tls) {
    private static final int CONNECT_TIMEOUT_MS = 2_000;
    private static final long RECONNECT_MS = 100;

    public BusEndpoint {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(publicHost, "publicHost");
        Objects.requireNonNull(tls, "tls");
    }

    /** The given options, with a bus that binds this address. */
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
