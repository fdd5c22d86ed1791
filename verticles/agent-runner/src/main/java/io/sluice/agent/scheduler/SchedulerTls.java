package io.sluice.agent.scheduler;

import java.util.Objects;

/**
 * How schedulers are authenticated: {@code agent.scheduler.tls}.
 *
 * @param enabled whether schedulers that are found by pods or service use TLS; a URL says so by {@code https}
 * @param caFile the PEM file with the certificates that must have signed the schedulers', read again while the agent
 *     runs; empty for the JDK's
 * @param serverName the name that the schedulers' certificates must have; empty for the host of the connection, which
 *     is an IP address for pods and services
 */
public record SchedulerTls(boolean enabled, String caFile, String serverName) {
    /** No TLS. */
    public static final SchedulerTls DEFAULTS = new SchedulerTls(false, "", "");

    public SchedulerTls {
        Objects.requireNonNull(caFile, "agent.scheduler.tls.caFile");
        Objects.requireNonNull(serverName, "agent.scheduler.tls.serverName");
    }
}
