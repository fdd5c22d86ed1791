package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RoleRuntimeTest {
    private static final Path LISTENING = Path.of("/proc/self/net/tcp");

    @Test
    void startsAndStopsWithoutALab() throws StartException {
        var house = RoleRuntime.start(settings(0), Optional.empty());

        assertThat(house.lab()).isEmpty();
        assertThat(house.stop()).isTrue();
    }

    @Test
    void stopsWhatWasStartedWhereTheRestCannot() throws IOException {
        var guest = new Guest();
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> RoleRuntime.start(settings(taken.getLocalPort()), Optional.of(guest)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("the role gateway did not start")
                    .hasMessageContaining("gateway.agent");
        }
        assertThat(guest.started).isTrue();
        assertThat(guest.stopped).isTrue();
    }

    /** What listens and is none of the doors has neither TLS nor a credential. */
    @Test
    void listensAtItsDoorsAndNowhereElse() throws Exception {
        assumeThat(LISTENING).as("the kernel's list of sockets").exists();
        var before = listening();
        var doors = free(5);
        var house = RoleRuntime.start(
                Settings.read(new ConfigSources(
                        YamlText.parse("""
                            roles: [ledger, pressure, monitor, agent, gateway]
                            gateway:
                              ops: {port: %d}
                              agent: {port: %d}
                              console: {port: %d}
                              vmMetrics: {port: %d}
                              dump: {port: %d}
                            """.formatted(doors.toArray()), "test.yaml"), Map.of(), Map.of())),
                Optional.empty());
        try {
            var opened = listening();
            opened.removeAll(before);
            assertThat(opened).containsExactlyInAnyOrderElementsOf(doors);
        } finally {
            house.stop();
        }
    }

    /** Ports on loopback that this process listens on: sockets of its own among those of the machine. */
    private static Set<Integer> listening() throws IOException {
        var own = new HashSet<String>();
        try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (var descriptor : descriptors) {
                own.add(target(descriptor));
            }
        }
        var ports = new TreeSet<Integer>();
        for (var table : List.of(LISTENING, Path.of("/proc/self/net/tcp6"))) {
            for (var line : Files.readAllLines(table)) {
                var columns = line.strip().split("\\s+");
                if (columns.length > 9 && columns[3].equals("0A") && own.contains("socket:[" + columns[9] + "]")) {
                    ports.add(Integer.parseInt(columns[1].substring(columns[1].indexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }

    /** A descriptor may be closed while it is looked at. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    /** All of them are taken before any is given back, so that no two are the same. */
    private static List<Integer> free(int count) throws IOException {
        var taken = new ArrayList<ServerSocket>();
        try {
            for (int i = 0; i < count; i++) {
                taken.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return taken.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : taken) {
                socket.close();
            }
        }
    }

    /** Notes what becomes of it. */
    private static final class Guest extends VerticleBase {
        private final AtomicBoolean started = new AtomicBoolean();
        private final AtomicBoolean stopped = new AtomicBoolean();

        @Override
        public Future<?> start() {
            started.set(true);
            return Future.succeededFuture();
        }

        @Override
        public Future<?> stop() {
            stopped.set(true);
            return Future.succeededFuture();
        }
    }

    private static Settings settings(int agentPort) {
        var text = "roles: [ledger, gateway]\ngateway: {ops: {port: 0}, console: {port: 0}, agent: {port: " + agentPort
                + "}}\n";
        return Settings.read(new ConfigSources(YamlText.parse(text, "test.yaml"), Map.of(), Map.of()));
    }
}
