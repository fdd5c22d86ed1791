package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.observation;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.Resources;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A runner acts on a changed object in the same turn in which the observation arrives. */
class RunnerChangesTest {
    private RunnerRig rig;

    @BeforeEach
    void settledAtFour() {
        rig = RunnerRig.serving().sample(4);
        assertThat(rig.all(RunnerAction.RequestPermit.class)).isEmpty();
        assertThat(rig.all(RunnerAction.DownscaleGuest.class)).isEmpty();
    }

    @Test
    void aHigherMinimumIsRequested() {
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(2, 6, 16)));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(6));
    }

    @Test
    void aLowerMaximumIsShrunkTo() {
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(2, 1, 3)));
        assertThat(rig.only(RunnerAction.DownscaleGuest.class).request().target())
                .isEqualTo(cu(3));
    }

    @Test
    void aHigherMaximumLetsItGrow() {
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(2, 1, 4)));
        rig.sample(7);
        assertThat(rig.all(RunnerAction.RequestPermit.class)).isEmpty();
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(3, 1, 16)));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(7));
    }

    @Test
    void anotherScalingConfigMakesAnotherGoal() {
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.overridden(2, RunnerObservations.HALF_FULL)));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(8));
    }

    @Test
    void anotherSlotSizeRecountsWhatItUses() {
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.slotted(2, 3L << 30)));
        var using = new Resources(1_000, 3L << 30);
        assertThat(rig.runner.state().core().orElseThrow().using()).isEqualTo(using);
        assertThat(rig.only(RunnerAction.PatchSize.class).request().target())
                .as("the fourth unit is missing now, and permitted")
                .isEqualTo(cu(4));
    }

    @Test
    void aLabelTakenOffEndsIt() {
        var off = observation(2, "pod-a", VmPhase.RUNNING, false, sizes(cu(4)), Optional.empty(), "r.1/0");
        assertThat(Runner.serves(off)).isFalse();
        assertThat(Runner.serves(RunnerObservations.usual(3))).isTrue();
        rig.report(new RunnerEvent.VmChanged(off));
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.reason()).isEqualTo(StopReason.NOT_SERVED);
        assertThat(stop.sentence()).isEqualTo("not autoscaled");
    }

    @Test
    void anOlderObjectBringsNothingBack() {
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(9, 1, 4)));
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(8, 6, 16)));
        assertThat(rig.all(RunnerAction.RequestPermit.class)).isEmpty();
    }
}
