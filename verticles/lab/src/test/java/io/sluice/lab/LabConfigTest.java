package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LabConfigTest {
    private static final Duration SOME = Duration.ofMillis(100);

    @Test
    void namesTheKeyOfEachValueThatCannotBe() {
        assertThatThrownBy(() -> config("0.0.0.0", 0, 60)).hasMessageContaining("lab.address");
        assertThatThrownBy(() -> config("127.0.0.1", -1, 60)).hasMessageContaining("lab.apiPort");
        assertThatThrownBy(() -> config("127.0.0.1", 0, 0)).hasMessageContaining("lab.day");
        assertThatThrownBy(
                        () -> new LabConfig("127.0.0.1", 0, Duration.ofSeconds(60), 1, SOME, SOME.minusMillis(1), SOME))
                .hasMessageContaining("lab.controllerDelayMax")
                .hasMessageContaining("lab.controllerDelayMin");
        assertThatThrownBy(() -> new LabConfig("127.0.0.1", 0, Duration.ofSeconds(60), 1, SOME, SOME, Duration.ZERO))
                .hasMessageContaining("lab.auditEvery");
    }

    private static LabConfig config(String address, int port, int daySeconds) {
        return new LabConfig(address, port, Duration.ofSeconds(daySeconds), 1, SOME, SOME, SOME);
    }
}
