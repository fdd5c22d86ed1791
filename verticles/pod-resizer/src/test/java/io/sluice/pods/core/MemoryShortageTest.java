package io.sluice.pods.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.pod.PodSampled.Cause;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: memory is requested where the pod needs it, and not for files that the kernel can drop. */
class MemoryShortageTest {
    @ParameterizedTest
    @CsvSource({
        "OOM_KILLED, 500m/100Mi, 10, true",
        "MEMORY_LIMITED, 500m/100Mi, 84, false",
        "MEMORY_LIMITED, 500m/100Mi, 86, true",
        "MEMORY_STALLED, 500m/100Mi, 86, true",
        "CPU_STALLED, 500m/100Mi, 99, false",
        // Without a limit the request counts, which is 64Mi.
        "MEMORY_STALLED, '', 60, true",
        "MEMORY_STALLED, '', 50, false"
    })
    void theWorkingSetDecidesUnlessAProcessWasKilled(Cause cause, String limits, long mebibytes, boolean isShown) {
        var pod = Pods.scaled(Pods.running("200m/64Mi", limits, "Burstable"));
        var use = new ContainerUse(Instant.EPOCH, 0, mebibytes * Pods.MI);

        assertThat(MemoryShortage.isShown(pod, cause, Optional.of(use))).isEqualTo(isShown);
        assertThat(MemoryShortage.isShown(pod, cause, Optional.empty()))
                .as("without a sample")
                .isEqualTo(cause == Cause.OOM_KILLED);
    }
}
