package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * An address inside a VM that a client connects to.
 *
 * @param host name or address; empty while the VM has none
 * @param port TCP port
 * @param path absolute HTTP path
 */
public record Endpoint(String host, int port, String path) {
    public Endpoint {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(path, "path");
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a port is 1 to 65535: " + port);
        }
    }
}
