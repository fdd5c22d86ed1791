package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayConfigTest {
    @Test
    void listensOnLoopbackUnlessTold() {
        assertThat(GatewayConfig.DEFAULTS.agent().host()).isEqualTo("127.0.0.1");
        assertThat(GatewayConfig.DEFAULTS.agent().port()).isEqualTo(10299);
        assertThat(GatewayConfig.DEFAULTS.ops().host()).isEqualTo("127.0.0.1");
        assertThat(GatewayConfig.DEFAULTS.ops().port()).isEqualTo(9100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.255.3.9", "::1", "0:0:0:0:0:0:0:1", "localhost", "LOCALHOST"})
    void takesLoopbackAsItIs(String host) {
        assertThat(agent(host, 10299, false).host()).isEqualTo(host);
        assertThat(new OpsDoorConfig(host, 9100, false).host()).isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "::",
                "10.0.0.1",
                "example.org",
                "127.0.0.1.example.org",
                "127.0.0.256",
                "127.1",
                "128.0.0.1"
            })
    void refusesMoreThanLoopbackAndNamesTheKeyToSet(String host) {
        assertThatThrownBy(() -> agent(host, 10299, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gateway.agent.host=" + host)
                .hasMessageContaining("gateway.agent.insecure: true");
        assertThatThrownBy(() -> new OpsDoorConfig(host, 9100, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gateway.ops.insecure: true");
        assertThat(agent(host, 10299, true).insecure()).isTrue();
        assertThat(new OpsDoorConfig(host, 9100, true).insecure()).isTrue();
    }

    @Test
    void namesWhatIsWrong() {
        assertThatThrownBy(() -> agent("127.0.0.1", 65_536, false)).hasMessageContaining("gateway.agent.port=65536");
        assertThatThrownBy(() -> agent(" ", 1, true)).hasMessageContaining("gateway.agent.host");
        assertThatThrownBy(() -> new OpsDoorConfig("127.0.0.1", -1, false)).hasMessageContaining("gateway.ops.port=-1");
        assertThatThrownBy(() -> new AgentDoorConfig("::1", 1, false, 0, 1, 1, 1, Duration.ofSeconds(1)))
                .hasMessageContaining("gateway.agent.ratePerPod=0");
        assertThatThrownBy(() -> new AgentDoorConfig("::1", 1, false, 1, 1, 1, 1, Duration.ZERO))
                .hasMessageContaining("gateway.agent.waitMax=PT0S");
        assertThatThrownBy(() -> new GatewayConfig(agent("::1", 80, false), new OpsDoorConfig("::1", 80, false)))
                .hasMessageContaining("gateway.ops.port");
    }

    private static AgentDoorConfig agent(String host, int port, boolean insecure) {
        return new AgentDoorConfig(host, port, insecure, 10, 20, 512, 4096, Duration.ofSeconds(2));
    }
}
