package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HouseTest {
    @Test
    void startsAndStopsWithoutALab() throws StartException {
        var house = House.start(settings(0), Optional.empty());

        assertThat(house.lab()).isEmpty();
        assertThat(house.stop()).isTrue();
    }

    @Test
    void stopsWhatWasStartedWhereTheRestCannot() throws IOException {
        var guest = new Guest();
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> House.start(settings(taken.getLocalPort()), Optional.of(guest)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("the role gateway did not start")
                    .hasMessageContaining("gateway.agent");
        }
        assertThat(guest.started).isTrue();
        assertThat(guest.stopped).isTrue();
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
        var text = "roles: [ledger, gateway]\ngateway: {ops: {port: 0}, agent: {port: " + agentPort + "}}\n";
        return Settings.read(new ConfigSources(YamlText.parse(text, "test.yaml"), Map.of(), Map.of()));
    }
}
