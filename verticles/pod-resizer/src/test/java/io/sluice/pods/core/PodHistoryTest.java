package io.sluice.pods.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.messages.pod.PodUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PodHistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Offset<Double> NEARLY = within(1e-9);

    private final PodHistory history = new PodHistory();

    @Test
    void takesRatesBetweenTheTimesOfTheSamples() {
        took(0, 10);
        assertThat(history.since(0)).as("one sample has no rate").isEmpty();
        took(12, 16);
        assertThat(history.since(0).orElseThrow().load()).isEqualTo(0.5, NEARLY);
        took(22, 36);
        var use = history.since(0).orElseThrow();
        assertThat(use.load()).isEqualTo(2.0, NEARLY);
        assertThat(use.load5()).isEqualTo(26 / 22.0, NEARLY);
        assertThat(use.at()).isEqualTo(START.plusSeconds(22).toEpochMilli());
    }

    @Test
    void aSampleThatIsRepeatedIsNoNewOne() {
        took(0, 10);
        took(10, 15);
        long at = history.since(0).map(PodUse.Sampled::at).orElseThrow();
        assertThat(took(10, 15)).isFalse();
        assertThat(history.since(at)).isEmpty();
        assertThat(took(20, 20)).isTrue();
        assertThat(history.since(at)).isPresent();
    }

    @Test
    void aContainerThatStartedAnewCountsFromThen() {
        took(0, 1_000);
        took(10, 5);
        assertThat(history.since(0).orElseThrow().load()).isEqualTo(0.5, NEARLY);
    }

    @Test
    void whatItWaitsForCountsAsLongAsItIsNew() {
        took(0, 0);
        history.took(new PodHistory.Waiting(START.plusSeconds(1), 0, 0, 0));
        took(10, 10);
        history.took(new PodHistory.Waiting(START.plusSeconds(11), 5, 100, 20));
        assertThat(history.since(0).orElseThrow().load()).as("half of the time").isEqualTo(1.5, NEARLY);
        took(20, 20);
        assertThat(history.since(0).orElseThrow().load()).isEqualTo(1.5, NEARLY);
        took(30, 30);
        assertThat(history.since(0).orElseThrow().load())
                .as("of an interval before")
                .isEqualTo(1.0, NEARLY);
    }

    @Test
    void readsTheTextOfAKubelet() {
        var lines = new ArrayList<KubeletText.Line>();
        KubeletText.read("""
            # HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the container
            # TYPE container_cpu_usage_seconds_total counter
            container_cpu_usage_seconds_total{container="c",namespace="ns",pod="a"} 12.5 1795692733000
            container_cpu_usage_seconds_total{container="a\\"},b",namespace="ns",pod="a"} 1e+02 1795692733000
            container_memory_working_set_bytes{container="c",namespace="ns",pod="a"} NotANumber 1
            container_memory_working_set_bytes{container="c",namespace="ns",pod="a
            container_spec_cpu_quota{container="c",id="/x",pod="a"} 1
            node_cpu_usage_seconds_total 3 1795692733000
            pod_cpu_usage_seconds_total{namespace="ns",pod="a"} 3 1795692733000
            """, lines::add);
        var pod = new PodKey("ns", "a");
        assertThat(lines)
                .containsExactly(
                        new KubeletText.Line("container_cpu_usage_seconds_total", pod, "c", 12.5, 1_795_692_733_000L),
                        new KubeletText.Line(
                                "container_cpu_usage_seconds_total", pod, "a\"},b", 100, 1_795_692_733_000L));
    }

    private boolean took(long second, double cpuSeconds) {
        return history.took(
                new PodHistory.Sample(Map.of("main", new ContainerUse(START.plusSeconds(second), cpuSeconds, 1))));
    }
}
