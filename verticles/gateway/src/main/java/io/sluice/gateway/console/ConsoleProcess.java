package io.sluice.gateway.console;

import io.sluice.gateway.peers.PeerReport;
import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.ClusterStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What the process tells the console of itself. What is supplied is asked for off the event loop.
 *
 * @param version of the program; empty where it is not known
 * @param roles the roles it runs
 * @param startedAt when it was started
 * @param config the config in force, as JSON
 * @param cluster what it knows of its cluster
 * @param peers how it and the others stand
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

    /** A process that is alone, and of whose readiness nobody is told. */
    public ConsoleProcess(String version, List<String> roles, Instant startedAt, Supplier<String> config) {
        this(version, roles, startedAt, config, () -> ClusterStatus.ALONE, () -> alone(version, roles));
    }

    private static PeerReport alone(String version, List<String> roles) {
        return new PeerReport(
                new MemberStatus("", version, roles, Duration.ZERO, true, List.of(), List.of()), List.of());
    }
}
