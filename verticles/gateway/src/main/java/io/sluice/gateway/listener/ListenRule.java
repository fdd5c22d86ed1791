package io.sluice.gateway.listener;

import java.util.regex.Pattern;

/**
 * The rule for addresses: a listener beyond loopback needs both TLS and a credential, or its own {@code insecure:
 * true}.
 */
final class ListenRule {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    private static final int PORT_MAX = 65_535;

    private ListenRule() {}

    /** Refuses an address beyond loopback without access control, an invalid port, and an empty host. */
    static void check(String section, ListenerConfig listener, boolean reviewed) {
        if (listener.host().isBlank()) {
            throw new IllegalArgumentException(section + ".host must name an address to listen on, such as 127.0.0.1");
        }
        if (listener.port() < 0 || listener.port() > PORT_MAX) {
            throw new IllegalArgumentException(
                    section + ".port=" + listener.port() + " must be 1 to " + PORT_MAX + ", or 0 for any free port");
        }
        if (listener.isUnguarded(reviewed) && !listener.insecure()) {
            throw new IllegalArgumentException(section + ".host=" + listener.host() + " is more than loopback, and this"
                    + " listener has no " + missing(section, listener, reviewed)
                    + ": give it, set the host to 127.0.0.1, or write out "
                    + section + ".insecure: true");
        }
    }

    /** Names are not resolved: of them only {@code localhost} counts as loopback. */
    static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost")
                || host.equals("::1")
                || host.equals("0:0:0:0:0:0:0:1")
                || LOOPBACK_V4.matcher(host).matches();
    }

    private static String missing(String section, ListenerConfig listener, boolean reviewed) {
        if (listener.tls().areGiven()) {
            return "credential (" + section + ".tokenFile or " + section + ".tls.clientCa)";
        }
        String tls = "TLS (" + section + ".tls)";
        return reviewed || listener.requiresToken()
                ? tls
                : tls + " and no credential (" + section + ".tokenFile or " + section + ".tls.clientCa)";
    }
}
