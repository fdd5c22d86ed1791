package io.sluice.cluster;

import java.util.List;

/**
 * Where a process lives.
 *
 * @param number tells it from others
 * @param host its address
 * @param port of the members' own traffic
 * @param busPort of the event bus
 * @param agentPort of the agents' door
 * @param opsPort of the door for probes
 * @param prefix what a command begins with to be started there
 */
public record Place(int number, String host, int port, int busPort, int agentPort, int opsPort, List<String> prefix) {
    /** As members name it. */
    public String endpoint() {
        return host + ":" + port;
    }

    @Override
    public String toString() {
        return "member " + number;
    }
}
