package io.sluice.gateway.listener;

import java.util.List;
import java.util.Objects;

/**
 * The config of the console's listener.
 *
 * @param host address to listen on; of names only {@code localhost} counts as loopback
 * @param port port to listen on, or the next free one after it; 0 takes any free one
 * @param insecure whether it may listen beyond loopback without TLS or without a credential
 * @param tls certificate and key; without them the listener serves plain HTTP
 * @param tokenFile file with one shared token in each line, each of which is accepted; empty if no token is required
 * @param names host names that are accepted on loopback beside local ones, such as a proxy's
 */
public record ConsoleListenerConfig(
        String host, int port, boolean insecure, TlsFiles tls, String tokenFile, List<String> names) {
    /** The usual port of consoles, on loopback. */
    public static final ConsoleListenerConfig DEFAULTS =
            new ConsoleListenerConfig("127.0.0.1", 8080, false, TlsFiles.NONE, "", List.of());

    /** The section of the config. */
    public static final String SECTION = "gateway.console";

    public ConsoleListenerConfig {
        Objects.requireNonNull(names, SECTION + ".names");
        names = List.copyOf(names);
        new ListenerConfig(host, port, insecure, tls, tokenFile).checked(SECTION);
    }

    /** Returns the part that all listeners have in common. */
    public ListenerConfig listener() {
        return new ListenerConfig(host, port, insecure, tls, tokenFile);
    }

    /** Returns the same config with another port. */
    public ConsoleListenerConfig at(int otherPort) {
        return new ConsoleListenerConfig(host, otherPort, insecure, tls, tokenFile, names);
    }
}
