package io.sluice.gateway;

import java.util.Objects;

/**
 * The doors of a process.
 *
 * @param agent where agents ask for permits
 * @param ops where probes and metrics answer
 */
public record GatewayConfig(AgentDoorConfig agent, OpsDoorConfig ops) {
    /** Both doors at their usual ports, on loopback. */
    public static final GatewayConfig DEFAULTS = new GatewayConfig(AgentDoorConfig.DEFAULTS, OpsDoorConfig.DEFAULTS);

    public GatewayConfig {
        Objects.requireNonNull(agent, "gateway.agent");
        Objects.requireNonNull(ops, "gateway.ops");
        if (agent.port() != 0 && agent.port() == ops.port() && agent.host().equals(ops.host())) {
            throw new IllegalArgumentException(
                    "gateway.agent.port=" + agent.port() + " and gateway.ops.port must differ on the same host");
        }
    }
}
