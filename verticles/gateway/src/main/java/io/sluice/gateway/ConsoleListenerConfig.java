package io.sluice.gateway;

import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.TlsFiles;
import java.util.List;
import java.util.Objects;

/**
 * Where people look in with a browser.
 *
 * @param host address to listen on; of names only {@code localhost} counts as loopback
 * @param port port to listen on, or the next free one after it; 0 takes any free one
 * @param insecure whether it may listen on more than loopback without TLS or without a credential
 * @param tls certificate and key; without them the door speaks plain HTTP
 * @param tokenFile file with one shared token in each line, any of which lets in; empty for a door that asks for none
 * @param names on loopback, host names by which browsers may call it beside local ones, such as a proxy's
 */
public record ConsoleListenerConfig(
        String host, int port, boolean insecure, TlsFiles tls, String tokenFile, List<String> names) {
    /** The usual port of consoles, for this machine only. */
    public static final ConsoleListenerConfig DEFAULTS =
            new ConsoleListenerConfig("127.0.0.1", 8080, false, TlsFiles.NONE, "", List.of());

    /** Its section of the config. */
    public static final String SECTION = "gateway.console";

    public ConsoleListenerConfig {
        Objects.requireNonNull(names, SECTION + ".names");
        names = List.copyOf(names);
        new ListenerConfig(host, port, insecure, tls, tokenFile).checked(SECTION);
    }

    /** What it has in common with every door. */
    public ListenerConfig door() {
        return new ListenerConfig(host, port, insecure, tls, tokenFile);
    }

    /** The same at another port. */
    public ConsoleListenerConfig at(int otherPort) {
        return new ConsoleListenerConfig(host, otherPort, insecure, tls, tokenFile, names);
    }
}
