package io.sluice.cluster.process;

import io.sluice.launcher.core.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The configuration of a process.
 *
 * @param roles its roles
 * @param ledgers the configured number of processes with the role ledger
 * @param clock its wall clock
 */
public record MemberSpec(Set<Role> roles, int ledgers, WallClock clock) {
    private static final Set<Role> WHOLE = Set.of(Role.LEDGER, Role.MONITOR, Role.GATEWAY);

    /** A process with the roles ledger and gateway. */
    static MemberSpec whole(int ledgers) {
        return new MemberSpec(WHOLE, ledgers, WallClock.RIGHT);
    }

    public static MemberSpec only(Role role, int ledgers) {
        return new MemberSpec(Set.of(role), ledgers, WallClock.RIGHT);
    }

    MemberSpec by(WallClock other) {
        return new MemberSpec(roles, ledgers, other);
    }

    public boolean hasGateway() {
        return roles.contains(Role.GATEWAY);
    }

    public boolean keepsLedgerState() {
        return roles.contains(Role.LEDGER);
    }

    /** Its config file. */
    String yaml(Place place, List<Place> ledgersAt, String tokenFile) {
        var addresses =
                ledgersAt.stream().map(each -> '"' + each.endpoint() + '"').collect(Collectors.joining(", ", "[", "]"));
        var keys = Map.of(
                "roles", roles.stream().map(Role::key).sorted().collect(Collectors.joining(", ")),
                "host", place.host(),
                "port", Integer.toString(place.port()),
                "busPort", Integer.toString(place.busPort()),
                "addresses", addresses,
                "ledgers", Integer.toString(ledgers),
                "agentPort", Integer.toString(place.agentPort()),
                "opsPort", Integer.toString(place.opsPort()),
                "tokenFile", tokenFile);
        var text = """
            roles: [${roles}]
            hazelcast: {join: tcp, host: ${host}, port: ${port}, busPort: ${busPort}, addresses: ${addresses}, \
            ledgers: ${ledgers}, trustedNetwork: true}
            gateway:
              agent: {host: ${host}, port: ${agentPort}, insecure: true}
              ops: {host: ${host}, port: ${opsPort}, insecure: true, tokenFile: ${tokenFile}}
              console: {port: 0}
              vmMetrics: {port: 0}
              dump: {port: 0}
            """;
        for (var key : keys.entrySet()) {
            text = text.replace("${" + key.getKey() + "}", key.getValue());
        }
        return text;
    }
}
