package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.cluster.ScalingOverrides;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A VM's annotation is invalid: the last valid value stays in force, and a decision reports it. */
class RunnerConfigRefusedTest {
    private static final String BOUNDS = "bounds: min is above max";

    @Test
    void logsAtOnceWhatIsWrongWithTheObjectThatItBeginsWith() {
        var rig = new RunnerRig(RunnerObservations.complainedOf(1, BOUNDS), RunnerHandover.FRESH)
                .report(new RunnerEvent.Started());
        var decision = rig.decisions.getFirst();
        assertThat(decision.kind()).isEqualTo(Decision.Kind.CONFIG_REFUSED);
        assertThat(decision.reason()).isEqualTo(BOUNDS);
        assertThat(decision.from()).isEqualTo(cu(4));
        assertThat(decision.to()).isEqualTo(cu(4));
    }

    @Test
    void logsTheSameAgainOnlyNowAndThenWhileItLasts() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.complainedOf(2, BOUNDS)));
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.complainedOf(3, BOUNDS)));
        rig.live(Duration.ofSeconds(59), 4);
        assertThat(refused(rig)).containsExactly(BOUNDS);

        rig.live(Duration.ofSeconds(6), 4);
        assertThat(refused(rig)).containsExactly(BOUNDS, BOUNDS);
    }

    @Test
    void logsAtOnceThatAnotherThingIsWrongAndNothingWhenAllIsWellAgain() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.complainedOf(2, BOUNDS)));
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.complainedOf(3, BOUNDS, "metrics: no port")));
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.usual(4)));
        assertThat(refused(rig)).containsExactly(BOUNDS, BOUNDS + "; metrics: no port");

        rig.report(new RunnerEvent.VmChanged(RunnerObservations.complainedOf(5, BOUNDS)));
        assertThat(refused(rig)).as("it came back").hasSize(3);
    }

    @Test
    void keepsWhatLastHeldWhereTheNewIsNoConfigTogetherWithTheAgents() {
        var rig = RunnerRig.serving().sample(2);
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.overridden(2, RunnerObservations.HALF_FULL)));
        assertThat(goal(rig)).isEqualTo(4);
        assertThat(refused(rig)).isEmpty();

        rig.report(new RunnerEvent.VmChanged(RunnerObservations.overridden(3, RunnerObservations.TOO_WIDE, BOUNDS)));
        assertThat(goal(rig)).as("the agent's own would make it 2").isEqualTo(4);
        assertThat(refused(rig))
                .containsExactly(BOUNDS + "; its scaling config is not valid together with the agent's: "
                        + "agent.scaling.lfcWindowSizeMinutes=9 must not exceed "
                        + "agent.scaling.lfcMinWaitBeforeDownscaleMinutes=5 "
                        + "unless agent.scaling.lfcUseLargestWindow is true");

        rig.report(new RunnerEvent.VmChanged(RunnerObservations.overridden(4, ScalingOverrides.NONE)));
        assertThat(goal(rig)).isEqualTo(2);
        assertThat(refused(rig)).hasSize(1);
    }

    @Test
    void takesTheAgentsOwnWhereNothingEverHeld() {
        var rig = RunnerRig.serving(RunnerObservations.overridden(1, RunnerObservations.TOO_WIDE), RunnerHandover.FRESH)
                .sample(2);
        assertThat(goal(rig)).isEqualTo(2);
        assertThat(refused(rig)).hasSize(1);
    }

    @Test
    void leavesWhatLastHeldToTheRunnerAfterIt() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.overridden(2, RunnerObservations.HALF_FULL)));
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.overridden(3, RunnerObservations.TOO_WIDE)));
        assertThat(rig.runner.overrides()).isEqualTo(RunnerObservations.HALF_FULL);
        rig.report(new RunnerEvent.VmDeleted());
        var left = rig.only(RunnerAction.Stop.class).resume();

        var next = RunnerRig.serving(RunnerObservations.overridden(3, RunnerObservations.TOO_WIDE), left)
                .sample(2);
        assertThat(goal(next)).isEqualTo(4);
    }

    private static int goal(RunnerRig rig) {
        return rig.status().basis().goalCu();
    }

    private static List<String> refused(RunnerRig rig) {
        return rig.decisions.stream()
                .filter(reported -> reported.kind() == Decision.Kind.CONFIG_REFUSED)
                .map(Decision::reason)
                .toList();
    }
}
