package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.monitor.core.MonitorConfig;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MonitorConfigTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static MonitorConfig config(Duration response, Duration lease, Duration min, Duration max, int bytes) {
        return new MonitorConfig(SECOND, response, SECOND, SECOND, lease, min, max, SECOND, bytes, 100, 100);
    }

    static Stream<Arguments> wrong() {
        var ten = Duration.ofSeconds(10);
        return Stream.of(
                Arguments.of("monitor.responseTimeout", Duration.ZERO, ten, SECOND, ten, 2048),
                Arguments.of("monitor.responseTimeout", Duration.ofSeconds(6), ten, SECOND, ten, 2048),
                Arguments.of("monitor.leaseTimeout", SECOND, SECOND, SECOND, ten, 2048),
                Arguments.of("monitor.reconnectMax", SECOND, ten, ten, SECOND, 2048),
                Arguments.of("monitor.maxMessageSize", SECOND, ten, SECOND, ten, 10));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrong")
    void namesTheKeyThatIsWrong(String key, Duration response, Duration lease, Duration min, Duration max, int bytes) {
        assertThatThrownBy(() -> config(response, lease, min, max, bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key + "=");
    }

    @Test
    void hasDefaultsThatHold() {
        assertThat(MonitorConfig.DEFAULTS.responseTimeout()).isEqualTo(Duration.ofSeconds(5));
    }
}
