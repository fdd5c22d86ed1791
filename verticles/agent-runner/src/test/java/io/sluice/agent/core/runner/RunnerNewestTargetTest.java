package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.vm.PatchReply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A patch may be under way for long: actions that follow it are computed anew, and no request is sent that it could
 * undo.
 */
class RunnerNewestTargetTest {
    @Test
    void sendsTheNewestTargetOnceThePatchUnderWayHasEnded() {
        var rig = RunnerRig.serving();
        var first = rig.patchTo(6);
        for (int wanted : new int[] {9, 7}) {
            rig.sample(wanted);
            assertThat(rig.all(RunnerAction.PatchSize.class))
                    .as("one at a time")
                    .isEmpty();
            rig.all(RunnerAction.RequestPermit.class).forEach(rig::grant);
        }
        rig.answer(first, new PatchReply.Patched(9));
        assertThat(rig.only(RunnerAction.PatchSize.class).request().target())
                .as("not 9, which was the desired size in between")
                .isEqualTo(cu(7));
    }

    @Test
    void doesNotRepeatAPatchThatWasRefusedWhenLessIsWantedByThen() {
        var rig = RunnerRig.serving();
        var first = rig.patchTo(8);
        rig.sample(5);
        rig.answer(first, new PatchReply.Refused(422, "no"));
        rig.all(RunnerAction.RequestPermit.class).forEach(rig::grant);
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.only(RunnerAction.PatchSize.class).request().target()).isEqualTo(cu(5));
    }

    /** A decrease report would be overtaken by the patch that is under way above it. */
    @Test
    void reportsNoLessToTheLedgerWhileAPatchAboveItIsUnderWay() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(6);
        var end = rig.now.plusSeconds(14);
        rig.sample(4);
        while (rig.now.isBefore(end)) {
            assertReportedNoLessThanSix(rig);
            rig.now = rig.wakeAt().orElseThrow();
            rig.report(new RunnerEvent.Woken());
        }
        rig.answer(patch, new PatchReply.Patched(9));
        assertReportedNoLessThanSix(rig);
    }

    private static void assertReportedNoLessThanSix(RunnerRig rig) {
        for (var request : rig.all(RunnerAction.RequestPermit.class)) {
            assertThat(request.request().target()).isEqualTo(cu(6));
            rig.grant(request);
        }
    }

    @Test
    void requestsAgainBeforeItGrowsOnAPermitThatItHasGivenBack() {
        var rig = RunnerRig.serving().sample(4);
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(2, 6, 16)));
        rig.grant(rig.only(RunnerAction.RequestPermit.class));
        rig.answer(rig.only(RunnerAction.PatchSize.class), new PatchReply.Refused(422, "no"));
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(3, 5, 16)));
        var less = rig.only(RunnerAction.RequestPermit.class);
        assertThat(less.request().target()).isEqualTo(cu(5));
        rig.report(new RunnerEvent.RequestFailed(less.number(), "timeout"));

        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(4, 6, 16)));
        rig.pass(Duration.ofSeconds(3));
        var again = rig.only(RunnerAction.RequestPermit.class);
        assertThat(again.request().target()).isEqualTo(cu(6));
        assertThat(again.request().lastPermit())
                .as("the notice may have arrived")
                .contains(cu(5));
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.only(RunnerAction.PatchSize.class).request().target())
                .as("no more than what the notice left")
                .isEqualTo(cu(5));
    }

    @Test
    void letsAPatchLeaveOnlyWhileItsPermitStands() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        rig.now = rig.now.plusSeconds(4);
        rig.grant(request);
        assertThat(rig.only(RunnerAction.PatchSize.class).request().sendWithin())
                .as("of the ten seconds since it was requested")
                .isEqualTo(Duration.ofSeconds(6));
    }
}
