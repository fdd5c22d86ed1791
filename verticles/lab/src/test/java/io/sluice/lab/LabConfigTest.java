package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.lab.LabConfig.MigrationTimes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LabConfigTest {
    private static final Duration SOME = Duration.ofMillis(100);
    private static final Duration LESS = Duration.ofMillis(99);
    private static final Duration MINUTE = Duration.ofSeconds(60);

    @Test
    void namesTheKeyOfEachValueThatCannotBe() {
        assertThatThrownBy(() -> config("0.0.0.0", 0, MINUTE, SOME, SOME)).hasMessageContaining("lab.address");
        assertThatThrownBy(() -> config("127.0.0.1", -1, MINUTE, SOME, SOME)).hasMessageContaining("lab.apiPort");
        assertThatThrownBy(() -> config("127.0.0.1", 0, Duration.ZERO, SOME, SOME))
                .hasMessage("lab.day must be from 1s to 24h: 0s");
        assertThatThrownBy(() -> config("127.0.0.1", 0, MINUTE, LESS, SOME))
                .hasMessage("lab.controllerDelayMax=99ms must not be below lab.controllerDelayMin=100ms");
        assertThatThrownBy(() -> config("127.0.0.1", 0, MINUTE, SOME, Duration.ZERO))
                .hasMessageContaining("lab.auditEvery");
        assertThatThrownBy(() -> LabConfig.DEFAULTS.placedThrough("127.0.0.1:10297"))
                .hasMessage("lab.extender=127.0.0.1:10297 must be an http:// URL, and needs lab.cluster=own");
    }

    @Test
    void refusesPodsInAnotherKubernetesCluster() {
        assertThatThrownBy(() -> new LabConfig(
                        LabCluster.KUBERNETES,
                        "127.0.0.1",
                        0,
                        MINUTE,
                        1,
                        SOME,
                        SOME,
                        SOME,
                        MigrationTimes.DEFAULTS,
                        "",
                        true))
                .hasMessage("lab.pods=true needs lab.cluster=own");
    }

    @Test
    void namesTheKeyOfEachTimeOfAMigrationThatCannotBe() {
        assertThatThrownBy(() -> new MigrationTimes(Duration.ZERO, SOME, SOME, SOME))
                .hasMessage("lab.migration.pendingMin must be at least 1ms: 0s");
        assertThatThrownBy(() -> new MigrationTimes(SOME, LESS, SOME, SOME))
                .hasMessageContaining("lab.migration.pendingMax=99ms")
                .hasMessageContaining("lab.migration.pendingMin=100ms");
        assertThatThrownBy(() -> new MigrationTimes(SOME, SOME, SOME, LESS))
                .hasMessageContaining("lab.migration.runningMax");
    }

    private static LabConfig config(String address, int port, Duration day, Duration delayMax, Duration audit) {
        return new LabConfig(LabCluster.OWN, address, port, day, 1, SOME, delayMax, audit, MigrationTimes.DEFAULTS);
    }
}
