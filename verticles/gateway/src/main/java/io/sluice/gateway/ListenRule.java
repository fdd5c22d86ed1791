package io.sluice.gateway;

import java.util.Objects;
import java.util.regex.Pattern;

/** Who may knock at a door: only this machine, unless its own {@code insecure: true} is written out. */
final class ListenRule {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    private static final int PORT_MAX = 65_535;

    private ListenRule() {}

    /**
     * Refuses an address that others could reach, a port that is none, and an empty host.
     *
     * @param section of the config, such as {@code gateway.agent}
     */
    static void check(String section, String host, int port, boolean insecure) {
        Objects.requireNonNull(host, section + ".host");
        if (host.isBlank()) {
            throw new IllegalArgumentException(section + ".host must name an address to listen on, such as 127.0.0.1");
        }
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    section + ".port=" + port + " must be 1 to " + PORT_MAX + ", or 0 for any free port");
        }
        if (!insecure && !isLoopback(host)) {
            throw new IllegalArgumentException(section + ".host=" + host + " is more than loopback, and this door has"
                    + " neither TLS nor a credential: set it to 127.0.0.1, or write out " + section
                    + ".insecure: true");
        }
    }

    /** Names are not looked up: of them only {@code localhost} counts as loopback. */
    static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost")
                || host.equals("::1")
                || host.equals("0:0:0:0:0:0:0:1")
                || LOOPBACK_V4.matcher(host).matches();
    }
}
