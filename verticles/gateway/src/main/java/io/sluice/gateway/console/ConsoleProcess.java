package io.sluice.gateway.console;

import io.sluice.gateway.core.peers.PeerReport;
import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.ClusterStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The state of the process itself for the console. The suppliers are called off the event loop.
 *
 * @param version of the program; empty if it is unknown
 * @param roles the roles it runs
 * @param startedAt when it was started
 * @param config the config in force, as JSON
 * @param cluster the Hazelcast cluster as it sees it
 * @param peers the state of this and the other processes
 */
public record ConsoleProcess(
        String version,
        List<String> roles,
        Instant startedAt,
        Supplier<String> config,
        Supplier<ClusterStatus> cluster,
        Supplier<PeerReport> peers) {
    public ConsoleProcess {
        Objects.requireNonNull(version, "version");
        roles = List.copyOf(roles);
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(peers, "peers");
    }

    /** Creates the state of a process that is alone and does not report readiness. */
    public ConsoleProcess(String version, List<String> roles, Instant startedAt, Supplier<String> config) {
        this(version, roles, startedAt, config, () -> ClusterStatus.ALONE, () -> alone(version, roles));
    }

    private static PeerReport alone(String version, List<String> roles) {
        return new PeerReport(
                new MemberStatus("", version, roles, Duration.ZERO, true, List.of(), List.of()), List.of());
    }
}
