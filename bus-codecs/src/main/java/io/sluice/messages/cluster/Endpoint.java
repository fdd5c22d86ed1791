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
    private static final int PORT_MAX = 65_535;

    public Endpoint {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(path, "path");
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("a port is 1 to 65535: " + port);
        }
    }

    /**
     * The endpoint at the same host that a text names: {@code 9101}, or {@code 9101/stats}; without a path, this one's.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public Endpoint at(String text) {
        int slash = text.indexOf('/');
        var named = slash < 0 ? path : text.substring(slash);
        boolean isPath = named.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
        int at = port(slash < 0 ? text : text.substring(0, slash));
        if (at < 1 || at > PORT_MAX || !isPath) {
            throw new IllegalArgumentException("it must be a port from 1 to 65535, or port/path, not '" + text + "'");
        }
        return new Endpoint(host, at, named);
    }

    private static int port(String digits) {
        return digits.matches("\\d{1,5}") ? Integer.parseInt(digits) : 0;
    }
}
