package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.opened;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static io.sluice.agent.core.runner.RunnerRig.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import io.sluice.units.Revision;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Goals are numbered above all revisions that the VM ever had. */
class RunnerNumberingTest {
    /** The last revision of a runner with a clock a day ahead. */
    private static final long REPORTED =
            RunnerRig.START.plus(Duration.ofDays(1)).toEpochMilli();

    @Test
    @DisplayName("F8: a runner numbers its goals beyond those of one whose clock was ahead")
    void numbersItsGoalsBeyondThoseOfARunnerWithAClockThatWasAhead() {
        var rig = claimed(Optional.of(new Revision(REPORTED, 1)));
        assertThat(rig.patchTo(6).request().revision().value()).isGreaterThan(REPORTED);
    }

    @Test
    void numbersItsGoalsFromTheClockWhereThatIsFurther() {
        var rig = claimed(Optional.of(new Revision(7, 1)));
        assertThat(rig.patchTo(6).request().revision().value()).isGreaterThan(RunnerRig.START.toEpochMilli());
    }

    @Test
    void aStatusThatComesToShowTheOldGoalConfirmsNothing() {
        var rig = claimed(Optional.of(new Revision(REPORTED, 1)));
        var patch = rig.patchTo(6);
        rig.answer(patch, new PatchReply.Patched(9));
        var core = rig.shown(10, cu(2), REPORTED).runner.state().core().orElseThrow();
        assertThat(core.exposure()).as("its own patch is still on its way").isEqualTo(cu(6));
        core = rig.shown(11, cu(6), patch.request().revision().value())
                .runner
                .state()
                .core()
                .orElseThrow();
        assertThat(core.exposure()).isEqualTo(cu(6));
        assertThat(rig.runner.detail().orElseThrow().driver().confirmed()).isPositive();
    }

    private static RunnerRig claimed(Optional<Revision> target) {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(), opened(1)));
        var claim = rig.only(RunnerAction.ClaimFence.class);
        rig.report(new RunnerEvent.ClaimAnswered(
                claim.number(), new ClaimReply.Claimed("r.1/0", sizes(cu(4)), true, target)));
        return rig.grant(rig.only(RunnerAction.RequestPermit.class));
    }
}
