package io.sluice.gateway.listener;

import java.util.regex.Pattern;

/**
 * Who may knock at a door: only this machine, unless it has both TLS and a credential, or its own {@code insecure:
 * true} is written out.
 */
final class ListenRule {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    private static final int PORT_MAX = 65_535;

    private ListenRule() {}

    /** Refuses an address that others could reach unguarded, a port that is none, and an empty host. */
    static void check(String section, ListenerConfig door, boolean reviewed) {
        if (door.host().isBlank()) {
            throw new IllegalArgumentException(section + ".host must name an address to listen on, such as 127.0.0.1");
        }
        if (door.port() < 0 || door.port() > PORT_MAX) {
            throw new IllegalArgumentException(
                    section + ".port=" + door.port() + " must be 1 to " + PORT_MAX + ", or 0 for any free port");
        }
        if (door.isUnguarded(reviewed) && !door.insecure()) {
            throw new IllegalArgumentException(section + ".host=" + door.host() + " is more than loopback, and this"
                    + " door has no " + missing(section, door, reviewed)
                    + ": give it, set the host to 127.0.0.1, or write out "
                    + section + ".insecure: true");
        }
    }

    /** Names are not looked up: of them only {@code localhost} counts as loopback. */
    static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost")
                || host.equals("::1")
                || host.equals("0:0:0:0:0:0:0:1")
                || LOOPBACK_V4.matcher(host).matches();
    }

    private static String missing(String section, ListenerConfig door, boolean reviewed) {
        if (door.tls().areGiven()) {
            return "credential (" + section + ".tokenFile)";
        }
        String tls = "TLS (" + section + ".tls)";
        return reviewed || door.asksForToken() ? tls : tls + " and no credential (" + section + ".tokenFile)";
    }
}
