package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.launcher.config.Settings;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("compares the sockets of its JVM")
class RoleRuntimeTest {
    private static final Path LISTENING = Path.of("/proc/self/net/tcp");

    @Test
    void startsAndStopsWithoutALab() throws StartException {
        var runtime = RoleRuntime.start(settings(0), Optional.empty());

        assertThat(runtime.lab()).isEmpty();
        assertThat(runtime.stop()).isTrue();
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

    /**
     * Listening sockets that are no listeners of the config have neither TLS nor a credential, so there must be none.
     */
    @Test
    void bindsItsListenersAndNothingElse() throws Exception {
        assumeThat(LISTENING).as("the kernel's list of sockets").exists();
        var before = listening();
        var listeners = Stream.generate(LoopbackPorts::next).limit(5).toList();
        var runtime = RoleRuntime.start(
                Settings.read(new ConfigSources(
                        YamlText.parse("""
                            roles: [ledger, pressure, monitor, agent, gateway]
                            gateway:
                              ops: {port: %d}
                              agent: {port: %d}
                              console: {port: %d}
                              vmMetrics: {port: %d}
                              dump: {port: %d}
                            """.formatted(listeners.toArray()), "test.yaml"), Map.of(), Map.of())),
                Optional.empty());
        try {
            var opened = listening();
            opened.removeAll(before);
            assertThat(opened).containsExactlyInAnyOrderElementsOf(listeners);
        } finally {
            runtime.stop();
        }
    }

    /** Ports on loopback that this process listens on: the machine's sockets that are among its descriptors. */
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

    /** A descriptor may be closed while it is read. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    /** Records its events. */
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
