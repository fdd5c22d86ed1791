package io.sluice.gateway;

import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.gateway.listener.ListenerConfig;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The listeners of a process. Its roles decide which of them open.
 *
 * @param agent the agent API
 * @param ops probes and metrics
 * @param vmMetrics metrics with a series for each VM
 * @param dump the state of the agent's runners
 * @param extender kube-scheduler, which calls Sluice as its extender
 * @param console the console
 */
public record GatewayConfig(
        AgentListenerConfig agent,
        ListenerConfig ops,
        ListenerConfig vmMetrics,
        ListenerConfig dump,
        ListenerConfig extender,
        ConsoleListenerConfig console) {
    /** The section of probes and metrics. */
    public static final String OPS = "gateway.ops";

    /** The section of metrics with a series for each VM. */
    public static final String VM_METRICS = "gateway.vmMetrics";

    /** The section of the runners' state. */
    public static final String DUMP = "gateway.dump";

    /** The section of kube-scheduler's extender. */
    public static final String EXTENDER = "gateway.extender";

    /** All listeners at their usual ports, on loopback. */
    public static final GatewayConfig DEFAULTS = new GatewayConfig(
            AgentListenerConfig.DEFAULTS,
            ListenerConfig.loopback(9100),
            ListenerConfig.loopback(9101),
            ListenerConfig.loopback(10300),
            ListenerConfig.loopback(10297),
            ConsoleListenerConfig.DEFAULTS);

    private static final List<String> EVERYWHERE = List.of("0.0.0.0", "::");

    public GatewayConfig {
        Objects.requireNonNull(agent, AgentListenerConfig.SECTION);
        Objects.requireNonNull(console, ConsoleListenerConfig.SECTION);
        Objects.requireNonNull(ops, OPS).checked(OPS);
        Objects.requireNonNull(vmMetrics, VM_METRICS).checked(VM_METRICS);
        Objects.requireNonNull(dump, DUMP).checked(DUMP);
        Objects.requireNonNull(extender, EXTENDER).checked(EXTENDER);
        refuseClashes(bySection(agent, ops, vmMetrics, dump, extender, console));
    }

    private static Map<String, ListenerConfig> bySection(
            AgentListenerConfig agent,
            ListenerConfig ops,
            ListenerConfig vmMetrics,
            ListenerConfig dump,
            ListenerConfig extender,
            ConsoleListenerConfig console) {
        var listeners = new LinkedHashMap<String, ListenerConfig>();
        listeners.put(AgentListenerConfig.SECTION, agent.listener());
        listeners.put(OPS, ops);
        listeners.put(VM_METRICS, vmMetrics);
        listeners.put(DUMP, dump);
        listeners.put(EXTENDER, extender);
        listeners.put(ConsoleListenerConfig.SECTION, console.listener());
        return listeners;
    }

    /** Returns the listeners by their sections of the config, such as {@code gateway.ops}. */
    public Map<String, ListenerConfig> bySection() {
        return bySection(agent, ops, vmMetrics, dump, extender, console);
    }

    /**
     * Returns the same listeners at other ports, no two at the same.
     *
     * @param choice returns a port for a host, not below the given port; 0 for any free one
     */
    public GatewayConfig atPorts(BiFunction<String, Integer, Integer> choice) {
        var taken = new HashSet<Integer>();
        return new GatewayConfig(
                agent.at(chosen(agent.listener(), choice, taken)),
                ops.at(chosen(ops, choice, taken)),
                vmMetrics.at(chosen(vmMetrics, choice, taken)),
                dump.at(chosen(dump, choice, taken)),
                extender.at(chosen(extender, choice, taken)),
                console.at(chosen(console.listener(), choice, taken)));
    }

    private static int chosen(
            ListenerConfig listener, BiFunction<String, Integer, Integer> choice, Set<Integer> taken) {
        int port = choice.apply(listener.host(), listener.port());
        while (port != 0 && !taken.add(port)) {
            port = choice.apply(listener.host(), port + 1);
        }
        return port;
    }

    private static void refuseClashes(Map<String, ListenerConfig> listeners) {
        listeners.forEach((section, listener) -> listeners.forEach((other, otherListener) -> {
            if (section.compareTo(other) < 0 && clash(listener, otherListener)) {
                throw new IllegalArgumentException(
                        section + ".port=" + listener.port() + " and " + other + ".port must differ on the same host");
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
