package io.sluice.launcher.cluster;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Section {@code members}: which processes work together. All of them are told the same {@code name} and
 * {@code ledgers}.
 *
 * @param join how this process finds the others; none: it is alone, and the other keys say nothing
 * @param name of the cluster; processes with another name stay apart
 * @param host listened on for the others, an address of this machine
 * @param port of the members' own traffic
 * @param busPort of the event bus
 * @param publicHost by which the others reach this process; empty: {@code host}
 * @param addresses of the others, and of this process if that is easier, each as host:port; for {@code join: tcp}
 * @param service headless service whose pods are the members; for {@code join: kubernetes}
 * @param namespace of the service; empty: the service is a DNS name, which is resolved, and no API server is asked
 * @param ledgers how many processes have the role ledger in all: 1, 3 or 5. With 1 the books are in no other process,
 *     and are lost with it
 * @param busTls certificates of the event bus, alike in all processes; the members' own traffic has none
 * @param trustedNetwork whether everybody who reaches the port may join: members cannot prove who they are, so a host
 *     that is not of this machine alone needs it
 */
public record MembersConfig(
        Discovery join,
        String name,
        String host,
        int port,
        int busPort,
        String publicHost,
        List<String> addresses,
        String service,
        String namespace,
        int ledgers,
        BusTlsFiles busTls,
        boolean trustedNetwork) {
    /** Alone. */
    public static final MembersConfig DEFAULTS = new MembersConfig(
            Discovery.NONE, "sluice", "127.0.0.1", 5701, 15_701, "", List.of(), "", "", 1, BusTlsFiles.NONE, false);

    private static final int PORT_MAX = 65_535;
    private static final int LEDGERS_MAX = 5;
    private static final Pattern ADDRESS = Pattern.compile("[^\\s:]+:(\\d{1,5})");

    public MembersConfig {
        addresses = List.copyOf(addresses);
        Objects.requireNonNull(busTls, "members.busTls");
        if (name.isBlank()) {
            throw new IllegalArgumentException("members.name must be a name, not blank");
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException("members.host must be an address of this machine, not blank");
        }
        port("members.port", port);
        port("members.busPort", busPort);
        if (port == busPort) {
            throw new IllegalArgumentException("members.busPort=" + busPort + " must differ from members.port");
        }
        if (ledgers < 1 || ledgers > LEDGERS_MAX || ledgers % 2 == 0) {
            throw new IllegalArgumentException("members.ledgers must be 1, 3 or 5: " + ledgers);
        }
        addresses.forEach(MembersConfig::address);
        if (join != Discovery.NONE) {
            found(join, addresses, service);
            trusted(host, trustedNetwork);
        }
    }

    private static void found(Discovery join, List<String> addresses, String service) {
        if (join == Discovery.TCP && addresses.isEmpty()) {
            throw new IllegalArgumentException("members.addresses must name the others, such as"
                    + " [\"10.0.0.1:5701\", \"10.0.0.2:5701\"], where members.join is tcp");
        }
        if (join == Discovery.KUBERNETES && service.isBlank()) {
            throw new IllegalArgumentException(
                    "members.service must name a headless service where members.join is kubernetes");
        }
    }

    private static void trusted(String host, boolean trustedNetwork) {
        boolean local = host.startsWith("127.") || host.equals("::1") || host.equals("localhost");
        if (!local && !trustedNetwork) {
            throw new IllegalArgumentException("members.host=" + host + " is reached from other machines, and whoever"
                    + " reaches it can join: close its ports to all but the members, and say members.trustedNetwork:"
                    + " true");
        }
    }

    private static void port(String key, int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(key + " must be a port from 1 to 65535: " + port);
        }
    }

    private static void address(String address) {
        var parts = ADDRESS.matcher(address);
        if (!parts.matches() || Integer.parseInt(parts.group(1)) > PORT_MAX) {
            throw new IllegalArgumentException("members.addresses must be written as host:port: \"" + address + "\"");
        }
    }

    /** Whether there can be others. */
    public boolean clustered() {
        return join != Discovery.NONE;
    }

    /** Whether several processes keep one set of books, as long as more than half of them see each other. */
    public boolean keepTogether() {
        return clustered() && ledgers > 1;
    }

    /** By which the others reach this process. */
    String reachedAt() {
        return publicHost.isBlank() ? host : publicHost;
    }
}
