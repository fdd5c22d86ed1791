package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.cluster.process.Namespaces;
import io.sluice.cluster.process.Place;
import io.sluice.launcher.core.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: processes find each other by the DNS name of a headless service, without an API server. Method: each runs in a
 * network namespace whose hosts file maps the name to all their addresses.
 */
@OnlyWithFaults
class DnsDiscoveryTest {
    private static final Duration READY = Duration.ofSeconds(120);
    private static final String SERVICE = "sluice-members.test";
    private static final Path NAMESPACES = Path.of("/etc/netns");
    private static final Split SPLIT = new Split(List.of(
            Set.of(Role.LEDGER, Role.GATEWAY, Role.LAB, Role.CLUSTER, Role.VM, Role.AGENT, Role.MONITOR),
            Set.of(Role.LEDGER, Role.GATEWAY),
            Set.of(Role.LEDGER, Role.GATEWAY, Role.PRESSURE)));

    @Test
    void membersFindEachOtherByOneName() throws IOException {
        assumeThat(Namespaces.unavailable()).isEmpty();
        try (var ground = Namespaces.make(SPLIT.processes().size())) {
            var places = List.of(ground.place(1), ground.place(2), ground.place(3));
            try {
                reportNames(places);
                startsTogether(places);
            } finally {
                forgetNames(places);
            }
        }
    }

    private static void startsTogether(List<Place> places) {
        try (var cluster = RoleCluster.at("dns", SPLIT, places, "join: kubernetes, service: " + SERVICE)
                .start()) {
            cluster.awaitReady(READY);
            assertThat(cluster.processes())
                    .allSatisfy(side -> assertThat(side.console()
                                    .cluster()
                                    .at("/ledgers/present")
                                    .asInt())
                            .isEqualTo(SPLIT.ledgers()));
        }
    }

    private static void reportNames(List<Place> places) throws IOException {
        var hosts = places.stream()
                .map(place -> place.host() + " " + SERVICE + "\n")
                .collect(Collectors.joining("", "127.0.0.1 localhost\n", ""));
        for (var place : places) {
            Files.createDirectories(folder(place));
            Files.writeString(folder(place).resolve("hosts"), hosts);
        }
    }

    private static void forgetNames(List<Place> places) throws IOException {
        for (var place : places) {
            Files.deleteIfExists(folder(place).resolve("hosts"));
            Files.deleteIfExists(folder(place));
        }
    }

    /** The files in it replace those in {@code /etc} for processes that are started in the namespace. */
    private static Path folder(Place place) {
        return NAMESPACES.resolve(place.prefix().getLast());
    }
}
