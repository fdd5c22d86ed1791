package io.sluice.agent.scheduler.core;

import java.util.Objects;

/**
 * Where a scheduler listens for agents.
 *
 * @param tls whether it uses TLS
 * @param host its name or IP address
 * @param port its port
 */
public record SchedulerAddress(boolean tls, String host, int port) {
    public SchedulerAddress {
        Objects.requireNonNull(host, "host");
    }

    /** For messages: {@code http://10.0.0.1:10299}. */
    public String text() {
        return (tls ? "https://" : "http://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
