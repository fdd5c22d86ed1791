package io.sluice.workers.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FenceLeaseTest {
    private static final Duration FENCE = Duration.ofSeconds(45);

    @Test
    void countsFromWhenTheAcknowledgedHeartbeatWasSent() {
        var lease = FenceLease.NONE.acknowledged(Duration.ofSeconds(100), FENCE);
        // The acknowledgement may have come 40 s later: only 5 s are left then.
        assertThat(lease.isOver(Duration.ofSeconds(144))).isFalse();
        assertThat(lease.isOver(Duration.ofSeconds(145))).isTrue();
    }

    @Test
    void aLateAcknowledgementOfAnEarlierHeartbeatShortensNothing() {
        var lease = FenceLease.NONE.acknowledged(Duration.ofSeconds(100), FENCE);
        assertThat(lease.acknowledged(Duration.ofSeconds(95), FENCE)).isEqualTo(lease);
    }

    @Test
    void nothingMayRunBeforeTheFirst() {
        assertThat(FenceLease.NONE.isOver(Duration.ZERO)).isTrue();
    }
}
