package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The work of guests on request is visible in their metrics, and ends on request. */
@ExtendWith(VertxExtension.class)
class LabWorkTest {
    private static final double MUCH = 50;

    @Test
    void aGuestComputesUntilItRests(Vertx vertx) {
        try (var stage = new LabStage(vertx)) {
            stage.lab.work().compute("db", MUCH);
            await().atMost(LabStage.WAIT)
                    .until(() -> stage.lab.guests().get("db").load1() > MUCH / 2);
            assertThat(stage.lab.guests().get("web").load1()).isLessThan(MUCH / 2);

            stage.lab.work().rest("db");

            await().atMost(LabStage.WAIT)
                    .until(() -> stage.lab.guests().get("db").load1() < MUCH / 2);
        }
    }

    @Test
    void aGuestAllocatesUntilItRestsAndComputesMeanwhile(Vertx vertx) {
        try (var stage = new LabStage(vertx)) {
            stage.lab.work().compute("db", MUCH);
            stage.lab.work().allocate("db", 1L << 40);

            await().atMost(LabStage.WAIT).until(() -> {
                var memory = stage.lab.guests().get("db").memory();
                return memory.usedBytes() == memory.totalBytes();
            });
            assertThat(stage.lab.guests().get("db").demand()).isGreaterThanOrEqualTo(MUCH);

            stage.lab.work().rest("db");

            await().atMost(LabStage.WAIT).until(() -> {
                var memory = stage.lab.guests().get("db").memory();
                return memory.usedBytes() < memory.totalBytes();
            });
        }
    }
}
