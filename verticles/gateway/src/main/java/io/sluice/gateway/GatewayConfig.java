package io.sluice.gateway;

import io.sluice.gateway.listener.ListenerConfig;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The doors of a process. Which of them are opened depends on its roles.
 *
 * @param agent where agents ask for permits
 * @param ops where probes and metrics answer
 * @param vmMetrics where metrics with a series for each VM answer
 * @param dump where the state of the agent's runners can be read
 * @param console where people look in with a browser
 */
public record GatewayConfig(
        AgentListenerConfig agent,
        ListenerConfig ops,
        ListenerConfig vmMetrics,
        ListenerConfig dump,
        ConsoleListenerConfig console) {
    /** The section of probes and metrics. */
    public static final String OPS = "gateway.ops";

    /** The section of metrics with a series for each VM. */
    public static final String VM_METRICS = "gateway.vmMetrics";

    /** The section of the runners' state. */
    public static final String DUMP = "gateway.dump";

    /** All doors at their usual ports, on loopback. */
    public static final GatewayConfig DEFAULTS = new GatewayConfig(
            AgentListenerConfig.DEFAULTS,
            ListenerConfig.loopback(9100),
            ListenerConfig.loopback(9101),
            ListenerConfig.loopback(10300),
            ConsoleListenerConfig.DEFAULTS);

    private static final List<String> EVERYWHERE = List.of("0.0.0.0", "::");

    public GatewayConfig {
        Objects.requireNonNull(agent, AgentListenerConfig.SECTION);
        Objects.requireNonNull(console, ConsoleListenerConfig.SECTION);
        var doors = new LinkedHashMap<String, ListenerConfig>();
        doors.put(AgentListenerConfig.SECTION, agent.door());
        doors.put(OPS, Objects.requireNonNull(ops, OPS).checked(OPS));
        doors.put(VM_METRICS, Objects.requireNonNull(vmMetrics, VM_METRICS).checked(VM_METRICS));
        doors.put(DUMP, Objects.requireNonNull(dump, DUMP).checked(DUMP));
        doors.put(ConsoleListenerConfig.SECTION, console.door());
        refuseClashes(doors);
    }

    /**
     * The same at other ports, no two doors at the same.
     *
     * @param choice a port for a host, not below the port that it is handed; 0 for any free one
     */
    public GatewayConfig atPorts(BiFunction<String, Integer, Integer> choice) {
        var taken = new HashSet<Integer>();
        return new GatewayConfig(
                agent.at(chosen(agent.door(), choice, taken)),
                ops.at(chosen(ops, choice, taken)),
                vmMetrics.at(chosen(vmMetrics, choice, taken)),
                dump.at(chosen(dump, choice, taken)),
                console.at(chosen(console.door(), choice, taken)));
    }

    private static int chosen(ListenerConfig door, BiFunction<String, Integer, Integer> choice, Set<Integer> taken) {
        int port = choice.apply(door.host(), door.port());
        while (port != 0 && !taken.add(port)) {
            port = choice.apply(door.host(), port + 1);
        }
        return port;
    }

    private static void refuseClashes(Map<String, ListenerConfig> doors) {
        doors.forEach((section, door) -> doors.forEach((other, otherDoor) -> {
            if (section.compareTo(other) < 0 && clash(door, otherDoor)) {
                throw new IllegalArgumentException(
                        section + ".port=" + door.port() + " and " + other + ".port must differ on the same host");
            }
        }));
    }

    private static boolean clash(ListenerConfig one, ListenerConfig other) {
        return one.port() != 0
                && one.port() == other.port()
                && (one.host().equals(other.host())
                        || EVERYWHERE.contains(one.host())
                        || EVERYWHERE.contains(other.host()));
    }
}
