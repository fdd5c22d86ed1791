package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: no limit of a client queues VMs behind each other until they give up. Method: 1 000 monitors cry in one
 * instant, and every VM is patched; all roles and the lab's API server are real. How long it takes is for
 * {@link BurstBench}.
 */
class ManyRequestsAtOnceTest {
    private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(60);

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aThousandThatAskInOneInstantAreAllPatched() throws InterruptedException {
        try (var world = new World(BurstBench.VMS, Map.of(), path -> {})) {
            var latencies = BurstBench.burst(world, PATIENCE_MS);
            System.out.println("1 000 VMs asked at once; patched | p50 ms | p99 ms | last ms: " + latencies.columns());
            assertThat(latencies.count()).isEqualTo(BurstBench.VMS);
        }
    }
}
