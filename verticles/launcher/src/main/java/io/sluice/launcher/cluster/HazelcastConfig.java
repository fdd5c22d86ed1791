package io.sluice.launcher.cluster;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Section {@code hazelcast}: how processes find each other and work together. {@code name} and {@code ledgers} are the
 * same in all of them.
 *
 * @param join how this process finds the others; with {@code none} it is alone, and the other keys have no effect
 * @param name the name of the Hazelcast cluster; processes with another name form another one
 * @param host the address of this machine on which the process listens for the others
 * @param port the port of Hazelcast's own traffic
 * @param busPort the port of the event bus
 * @param publicHost the host by which the others reach this process; empty for {@code host}
 * @param addresses the addresses of the others, each as host:port; may include this process; for {@code join: tcp}
 * @param service the headless service of the members' pods; for {@code join: kubernetes}
 * @param namespace the namespace of the service; empty where the service is a DNS name, so that the API server is not
 *     needed
 * @param ledgers the number of processes with the role ledger: 1, 3 or 5. With 1 no other process has the ledger's
 *     state, and it is lost with the process
 * @param busTls the TLS of the event bus, which all processes have or none; Hazelcast's own traffic has no TLS
 * @param trustedNetwork whether every program that reaches the ports may join. Members do not authenticate, so a
 *     {@code host} beyond this machine needs it
 */
public record HazelcastConfig(
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
    /** A process that is alone. */
    public static final HazelcastConfig DEFAULTS = new HazelcastConfig(
            Discovery.NONE, "sluice", "127.0.0.1", 5701, 15_701, "", List.of(), "", "", 1, BusTlsFiles.NONE, false);

    private static final int PORT_MAX = 65_535;
    private static final int LEDGERS_MAX = 5;
    private static final Pattern ADDRESS = Pattern.compile("[^\\s:]+:(\\d{1,5})");

    public HazelcastConfig {
        addresses = List.copyOf(addresses);
        Objects.requireNonNull(busTls, "hazelcast.busTls");
        if (name.isBlank()) {
            throw new IllegalArgumentException("hazelcast.name must be a name, not blank");
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException("hazelcast.host must be an address of this machine, not blank");
        }
        port("hazelcast.port", port);
        port("hazelcast.busPort", busPort);
        if (port == busPort) {
            throw new IllegalArgumentException("hazelcast.busPort=" + busPort + " must differ from hazelcast.port");
        }
        if (ledgers < 1 || ledgers > LEDGERS_MAX || ledgers % 2 == 0) {
            throw new IllegalArgumentException("hazelcast.ledgers must be 1, 3 or 5: " + ledgers);
        }
        addresses.forEach(HazelcastConfig::address);
        if (join != Discovery.NONE) {
            found(join, addresses, service);
            trusted(host, trustedNetwork);
        }
    }

    private static void found(Discovery join, List<String> addresses, String service) {
        if (join == Discovery.TCP && addresses.isEmpty()) {
            throw new IllegalArgumentException("hazelcast.addresses must name the others, such as"
                    + " [\"10.0.0.1:5701\", \"10.0.0.2:5701\"], where hazelcast.join is tcp");
        }
        if (join == Discovery.KUBERNETES && service.isBlank()) {
            throw new IllegalArgumentException(
                    "hazelcast.service must name a headless service where hazelcast.join is kubernetes");
        }
    }

    private static void trusted(String host, boolean trustedNetwork) {
        boolean local = host.startsWith("127.") || host.equals("::1") || host.equals("localhost");
        if (!local && !trustedNetwork) {
            throw new IllegalArgumentException("hazelcast.host=" + host + " can be reached from other machines, and any"
                    + " program that reaches it can join: open its ports to the members alone, and set"
                    + " hazelcast.trustedNetwork: true");
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
            throw new IllegalArgumentException("hazelcast.addresses must be written as host:port: \"" + address + "\"");
        }
    }

    /** Whether there can be other members. */
    public boolean clustered() {
        return join != Discovery.NONE;
    }

    /** Whether several processes share one ledger state, as long as more than half of them are connected. */
    public boolean keepTogether() {
        return clustered() && ledgers > 1;
    }

    /** The host by which the others reach this process. */
    String reachedAt() {
        return publicHost.isBlank() ? host : publicHost;
    }
}
