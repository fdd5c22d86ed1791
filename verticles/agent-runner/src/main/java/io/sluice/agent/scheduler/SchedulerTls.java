package io.sluice.agent.scheduler;

import java.util.Objects;

/**
 * How schedulers prove who they are: {@code agent.scheduler.tls}.
 *
 * @param on whether schedulers that are found speak TLS; those of a list say so by {@code https}
 * @param caFile PEM file with the certificates that theirs must be signed by, read again while it runs; empty trusts
 *     what the JDK trusts
 * @param serverName the name that their certificates must bear; empty for the host that is asked, which of those that
 *     are found is an IP address
 */
public record SchedulerTls(boolean on, String caFile, String serverName) {
    /** No TLS. */
    public static final SchedulerTls DEFAULTS = new SchedulerTls(false, "", "");

    public SchedulerTls {
        Objects.requireNonNull(caFile, "agent.scheduler.tls.caFile");
        Objects.requireNonNull(serverName, "agent.scheduler.tls.serverName");
    }
}
