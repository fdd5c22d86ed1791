package io.sluice.gateway;

import java.time.Duration;
import java.util.Objects;

/**
 * How agents reach the ledger over HTTP.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 takes any free one
 * @param insecure whether it may listen on more than loopback although it asks for no credential
 * @param ratePerPod how many requests a second one pod's agent may send in the long run
 * @param burstPerPod how many it may send at once
 * @param inFlightMax how many requests are worked on at a time; more are turned away
 * @param connectionsMax how many connections are kept; more are closed at once
 * @param waitMax a question of an agent without sessions that waited so long behind others of its pod is dropped
 */
public record AgentDoorConfig(
        String host,
        int port,
        boolean insecure,
        int ratePerPod,
        int burstPerPod,
        int inFlightMax,
        int connectionsMax,
        Duration waitMax) {
    /** Where reference agents look for it, for this machine only. */
    public static final AgentDoorConfig DEFAULTS =
            new AgentDoorConfig("127.0.0.1", 10299, false, 10, 20, 512, 4096, Duration.ofSeconds(2));

    private static final int RATE_MAX = 1_000_000;

    public AgentDoorConfig {
        Objects.requireNonNull(waitMax, "gateway.agent.waitMax");
        ListenRule.check("gateway.agent", host, port, insecure);
        atLeastOne("ratePerPod", ratePerPod);
        atLeastOne("burstPerPod", burstPerPod);
        atLeastOne("inFlightMax", inFlightMax);
        atLeastOne("connectionsMax", connectionsMax);
        if (!waitMax.isPositive()) {
            throw new IllegalArgumentException("gateway.agent.waitMax=" + waitMax + " must be above zero");
        }
    }

    private static void atLeastOne(String key, int value) {
        if (value < 1 || value > RATE_MAX) {
            throw new IllegalArgumentException("gateway.agent." + key + "=" + value + " must be 1 to " + RATE_MAX);
        }
    }
}
