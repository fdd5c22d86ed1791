package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: no limit of a client queues VMs behind each other until their requests time out. Method: 1 000 monitors send an
 * upscale request at one instant, and every VM is patched; all roles and the lab's API server are real.
 * {@link BurstBench} measures how long it takes.
 */
class ManyRequestsAtOnceTest {
    private static final long TIMEOUT_MS = TimeUnit.SECONDS.toMillis(240);

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void aThousandThatRequestInOneInstantAreAllPatched() throws InterruptedException {
        var latencies = BurstBench.burst(TIMEOUT_MS);
        System.out.println(
                "1 000 upscale requests at once; patched | p50 ms | p99 ms | last ms: " + latencies.columns());
        assertThat(latencies.count()).isEqualTo(BurstBench.VMS);
    }
}
