package io.sluice.bus;

import io.vertx.core.VertxOptions;
import java.util.Objects;

/**
 * Where the bus of this process meets the others.
 *
 * @param host listened on
 * @param port listened on
 * @param publicHost by which others reach it
 */
public record BusEndpoint(String host, int port, String publicHost) {
    private static final int CONNECT_TIMEOUT_MS = 2_000;
    private static final long RECONNECT_MS = 100;

    public BusEndpoint {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(publicHost, "publicHost");
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
        return options;
    }
}
