package io.sluice.billing.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutboxLogTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final OutboxLog log = new OutboxLog(meters, () -> OutboxRig.NOW);

    private double usable() {
        return meters.get("sluice.billing.outbox.usable").gauge().value();
    }

    @Test
    void showsWhetherTheOutboxCanBeUsedAndHowOftenItCouldNot() {
        assertThat(usable()).isEqualTo(1);
        log.failed(new IOException("No space left on device"), Duration.ofSeconds(1));
        log.failed(new IOException("No space left on device"), Duration.ofSeconds(2));
        assertThat(usable()).isZero();
        assertThat(meters.get("sluice.billing.outbox.failures").counter().count())
                .isEqualTo(2);
        log.works();
        assertThat(usable()).isEqualTo(1);
    }
}
