package io.sluice.pods.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.messages.pod.PodSampled;
import io.sluice.messages.pod.PodUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

    /** A sum of fractions differs with their order in its last digits. */
    @Test
    void theContainersOfASampleAreInTheOrderOfNames() {
        var use = new ContainerUse(START, 1, 1);
        var names = List.of("alder", "birch", "cedar", "elm", "fir", "hazel", "maple", "oak", "pine", "yew");
        var uses = new HashMap<String, ContainerUse>();
        names.forEach(name -> uses.put(name, use));
        assertThat(new PodHistory.Sample(uses).uses().keySet()).containsExactlyElementsOf(names);
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

    /**
     * A node agent reads twice within a tenth of a second: what the pod does there counts, and does not hide what it
     * did.
     */
    @Test
    void aPauseBetweenTwoMomentsHidesNoLoad() {
        took(0, 0);
        took(10, 2);
        history.took(moment(18_000, 10_000_000, 0));
        history.took(moment(18_100, 10_000_000, 50_000));
        assertThat(history.since(0).orElseThrow().load())
                .as("since the kubelet's last sample, and half of the time it waited")
                .isEqualTo(8 / 8.1 * 1.5, NEARLY);

        history.took(moment(20_000, 11_000_000, 50_000));
        history.took(moment(20_100, 11_200_000, 50_000));
        assertThat(history.since(0).orElseThrow().load()).as("2 CPUs at last").isEqualTo(2.0, NEARLY);
        var pod = Pods.scaled(Pods.running("200m/64Mi", "", "Burstable"));
        assertThat(history.last(pod).orElseThrow().workingSetBytes()).isEqualTo(7);
        assertThat(took(20, 11)).as("older than what is known").isFalse();
    }

    /** A node agent's two samples a second fill five minutes as a kubelet's do. */
    @Test
    void keepsFiveMinutesHoweverManySamplesThereAre() {
        long cpuMicros = 0;
        for (int second = 0; second < 400; second++) {
            history.took(moment(second * 1_000L, cpuMicros, 0));
            cpuMicros += second < 250 ? 1_000_000 : 0;
            history.took(moment(second * 1_000L + 100, cpuMicros, 0));
        }
        assertThat(history.since(0).orElseThrow().load5())
                .as("busy for the first 150 s of the last 300")
                .isEqualTo(0.5, within(0.01));
    }

    /** A flood must not fill the memory: the oldest are forgotten. */
    @Test
    void keepsABoundedNumberOfSamples() {
        for (int each = 0; each < 2_000; each++) {
            history.took(moment(each, Math.min(each, 1_000) * 1_000L, 0));
        }
        assertThat(history.since(0).orElseThrow().load5()).isZero();
    }

    @Test
    void whatIsScaledAsAWholeIsUsedByAllContainersTogether() {
        var whole = Pods.scaled(Pods.whole("400m/256Mi", "", "100m/64Mi", ""));
        assertThat(history.last(whole)).isEmpty();

        history.took(new PodSampled.Moment(
                START.toEpochMilli(),
                List.of(
                        new PodSampled.Container("main", 1_000_000, 7, 0, 0, 0),
                        new PodSampled.Container("sidecar", 2_000_000, 5, 0, 0, 0))));

        assertThat(history.last(whole)).contains(new ContainerUse(START, 3, 12));
        assertThat(history.last(Pods.scaled(Pods.running("200m/64Mi", "", "Burstable"))))
                .contains(new ContainerUse(START, 1, 7));
    }

    private static PodSampled.Moment moment(long atMs, long cpuMicros, long stalledMicros) {
        return new PodSampled.Moment(
                START.toEpochMilli() + atMs,
                List.of(new PodSampled.Container("main", cpuMicros, 7, stalledMicros, 0, 0)));
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
