package io.sluice.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementMetricsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    /** A gauge of an object that nothing else refers to is not a number after the next collection. */
    @Test
    void countsPendingPodsAfterACollection() {
        var pods = new ArrayList<>(List.of("p", "q"));
        new PlacementMetrics(meters, pods::size);

        var garbage = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return garbage.get() == null;
        });

        assertThat(meters.get("sluice.placement.pods.pending").gauge().value()).isEqualTo(2);
    }
}
