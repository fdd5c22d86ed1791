package io.sluice.cluster.roles;

import io.sluice.cluster.process.Place;
import io.sluice.launcher.core.Role;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The configuration of a process.
 *
 * @param roles its roles
 * @param found how it finds the others: keys of the section {@code hazelcast}
 * @param ledgers number of ledger processes
 * @param labPort port of the lab's API, in whichever process the lab is
 * @param consolePort port of its console, if it has one
 * @param extenderPort port of its listener for kube-scheduler, if it has one
 * @param pods whether the lab has an ordinary pod that is scaled
 * @param more further sections of those that place pods
 * @param pace further sections with timeouts
 */
record RoleConfig(
        Set<Role> roles,
        String found,
        int ledgers,
        int labPort,
        int consolePort,
        int extenderPort,
        boolean pods,
        String more,
        String pace) {
    private static final String TEMPLATE = """
        roles: [${roles}]
        hazelcast: {${found}, host: ${host}, port: ${port}, busPort: ${busPort}, ledgers: ${ledgers}, \
        trustedNetwork: true}
        kubernetes: {url: "http://127.0.0.1:${labPort}", tokenFile: "", caFile: ""}
        lease: {enabled: false, duration: 4s}
        gateway:
          agent: {host: ${host}, port: ${agentPort}, insecure: true}
          ops: {host: ${host}, port: ${opsPort}, insecure: true, tokenFile: ${tokenFile}}
          console: {host: ${host}, port: ${consolePort}, insecure: true}
          extender: {host: ${host}, port: ${extenderPort}, insecure: true}
          vmMetrics: {port: 0}
          dump: {port: 0}
        """;
    private static final String LAB = "lab: {day: 60s, apiPort: ${labPort}, pods: ${pods}}\n";

    /** The whole config file. */
    String yaml(Place place, String tokenFile) {
        var text =
                TEMPLATE + pace + (roles.contains(Role.PLACEMENT) ? more : "") + (roles.contains(Role.LAB) ? LAB : "");
        for (var value : values(place, tokenFile).entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue());
        }
        return text;
    }

    private Map<String, String> values(Place place, String tokenFile) {
        return Map.ofEntries(
                Map.entry("roles", roles.stream().map(Role::key).collect(Collectors.joining(", "))),
                Map.entry("found", found),
                Map.entry("host", place.host()),
                Map.entry("port", Integer.toString(place.port())),
                Map.entry("busPort", Integer.toString(place.busPort())),
                Map.entry("ledgers", Integer.toString(ledgers)),
                Map.entry("labPort", Integer.toString(labPort)),
                Map.entry("agentPort", Integer.toString(place.agentPort())),
                Map.entry("opsPort", Integer.toString(place.opsPort())),
                Map.entry("consolePort", Integer.toString(consolePort)),
                Map.entry("extenderPort", Integer.toString(extenderPort)),
                Map.entry("pods", Boolean.toString(pods)),
                Map.entry("tokenFile", tokenFile));
    }
}
