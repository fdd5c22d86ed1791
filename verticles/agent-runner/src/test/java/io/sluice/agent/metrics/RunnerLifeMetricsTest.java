package io.sluice.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Exposition;
import io.sluice.agent.core.VmStatusTracker;
import io.sluice.agent.core.revision.Latency;
import io.sluice.agent.core.runner.RunnerMeasurements;
import io.sluice.messages.agent.Waiting;
import io.sluice.units.Revision;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunnerLifeMetricsTest {
    private final Exposition metrics = new Exposition();
    private final RunnerLifeMetrics meters = new RunnerLifeMetrics(metrics.registry);

    @Test
    void countsRunnersByHowTheyDo() {
        meters.counted(new VmStatusTracker.Census(7, 8, 9), new VmStatusTracker.Census(5, 2, 1));
        assertThat(metrics.of("autoscaling_agent_runners_current{is_endpoint=\"false\",state=\"ok\"}"))
                .isEqualTo(5);
        assertThat(metrics.of("autoscaling_agent_runners_current{is_endpoint=\"true\",state=\"stuck\"}"))
                .isEqualTo(8);
        assertThat(metrics.of("autoscaling_agent_runners_current{is_endpoint=\"false\",state=\"stuck\"}"))
                .isEqualTo(2);
        assertThat(metrics.of("autoscaling_agent_runners_current{is_endpoint=\"false\",state=\"panicked\"}"))
                .isEqualTo(1);
    }

    @Test
    void countsVmsByWhatTheyWaitFor() {
        new RunnerMetrics(metrics.registry).waiting(Map.of(Waiting.DENIED_DOWNSCALE, 3));
        assertThat(metrics.of("sluice_agent_vms_waiting{cause=\"denied_downscale\"}"))
                .isEqualTo(3);
        assertThat(metrics.of("sluice_agent_vms_waiting{cause=\"room\"}")).isZero();
    }

    @Test
    void countsStartsRestartsAndFaults() {
        meters.started(false);
        meters.started(true);
        meters.failed();
        assertThat(metrics.of("autoscaling_agent_runner_starts")).isEqualTo(2);
        assertThat(metrics.of("autoscaling_agent_runner_restarts")).isEqualTo(1);
        assertThat(metrics.of("autoscaling_agent_runner_thread_panics_total")).isEqualTo(1);
    }

    @Test
    void timesByDirectionAndTakesWhatEndedBeforeItBeganForNoTime() {
        long both = Revision.UP | Revision.DOWN;
        meters.measured(new RunnerMeasurements(
                3,
                Arrays.stream(Latency.Stage.values())
                        .map(stage -> new Latency(stage, Duration.ofMillis(-300), both))
                        .toList()));
        for (var stage : List.of("scaling", "plugin", "monitor", "neonvm")) {
            var name = "autoscaling_agent_" + stage + "_latency_seconds";
            assertThat(metrics.of(name + "_count{direction=\"both\"}")).isEqualTo(1);
            assertThat(metrics.of(name + "_sum{direction=\"both\"}")).isZero();
            assertThat(metrics.of(name + "_count{direction=\"none\"}")).isZero();
        }
        assertThat(metrics.of("autoscaling_agent_runner_next_actions_total")).isEqualTo(3);
    }
}
