package io.sluice.cluster.process;

import java.util.List;

/**
 * The addresses of a process.
 *
 * @param number its number in the setup
 * @param host its address
 * @param port port of Hazelcast
 * @param busPort port of the event bus
 * @param agentPort port of the agent API
 * @param opsPort port of the probes
 * @param prefix prefix of a command that starts it there
 */
public record Place(int number, String host, int port, int busPort, int agentPort, int opsPort, List<String> prefix) {
    /** Its endpoint as Hazelcast names it. */
    public String endpoint() {
        return host + ":" + port;
    }

    @Override
    public String toString() {
        return "member " + number;
    }
}
