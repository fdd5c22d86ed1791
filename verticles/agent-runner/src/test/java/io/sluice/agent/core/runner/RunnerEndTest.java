package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.observation;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static io.sluice.agent.core.runner.RunnerRig.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.vm.PatchReply;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RunnerEndTest {
    @Test
    @DisplayName("F5: a runner stops once the VM has another runner's fence")
    void stopsForGoodWhenAnotherRunnersFenceStands() {
        var rig = RunnerRig.serving();
        rig.answer(rig.patchTo(6), new PatchReply.Conflict(cu(5), "s.1/0"));
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.reason()).isEqualTo(StopReason.SUPERSEDED);
        assertThat(stop.restartAfter().orElseThrow()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        assertThat(stop.resume()).isEqualTo(new RunnerHandover(1, "pod-a", 1));
        assertThat(rig.last.getLast()).isEqualTo(stop);
        assertThat(rig.decisions).extracting(Decision::kind).containsExactly(Decision.Kind.SUPERSEDED);
        assertThat(rig.all(RunnerAction.DetachFromMonitor.class))
                .as("the other one's session")
                .isEmpty();
        assertThat(rig.report(new RunnerEvent.Woken()).last).isEmpty();
    }

    @Test
    void waitsLongerEachTimeItIsSupersededInARow() {
        var rig = new RunnerRig(vm(1), new RunnerHandover(1, "pod-a", 2));
        rig.serve();
        rig.sample(6);
        rig.report(new RunnerEvent.PermitAnswered(
                rig.only(RunnerAction.RequestPermit.class).number(), new PermitReply.Superseded(9, "A")));
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.restartAfter().orElseThrow()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(40));
        assertThat(stop.resume().supersededInARow()).isEqualTo(3);
    }

    @Test
    void startsAnewWhenItsOwnEarlierClaimStandsOnTheVm() {
        var rig = RunnerRig.serving();
        rig.answer(rig.patchTo(6), new PatchReply.Conflict(cu(4), "r.0/0"));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.FENCE_LOST);
    }

    @Test
    void stopsWithNothingToPatchOnceTheVmCarriesAFenceThatWasClaimedLater() {
        var rig = servingOver(7);
        rig.report(new RunnerEvent.VmChanged(fenced(8, "r.1+7/0")));
        assertThat(rig.all(RunnerAction.Stop.class)).as("its own").isEmpty();
        rig.report(new RunnerEvent.VmChanged(fenced(9, "s.1+8/0")));
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.reason()).isEqualTo(StopReason.SUPERSEDED);
        assertThat(stop.sentence()).isEqualTo("another runner wrote the fence on the VM: s.1+8/0");
    }

    @Test
    void isNotStoppedByAnObservationWithAFenceFromBeforeItsClaim() {
        var rig = servingOver(7);
        rig.report(new RunnerEvent.VmChanged(fenced(8, "s.1+5/3")));
        rig.report(new RunnerEvent.VmChanged(fenced(8, "written by hand/3")));
        assertThat(rig.runner.stage()).isEqualTo(RunnerState.Stage.SERVING);
    }

    @Test
    void startsAnewWhenTheVmCarriesAnEarlierClaimOfItsOwnThatWasAppliedLate() {
        var rig = servingOver(7);
        rig.report(new RunnerEvent.VmChanged(fenced(9, "r.0+8/0")));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.FENCE_LOST);
    }

    /** There is no other runner to wait for. */
    @Test
    void startsAnewWhenItsVmWasReclaimedMeanwhile() {
        var rig = servingOver(7);
        rig.report(new RunnerEvent.VmChanged(fenced(9, "settle-a+8/0")));
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.reason()).isEqualTo(StopReason.FENCE_LOST);
        assertThat(stop.restartAfter().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        assertThat(stop.resume().supersededInARow()).isZero();
    }

    private static RunnerRig servingOver(long version) {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH);
        rig.writtenOver = "+" + version;
        rig.serve();
        return rig;
    }

    private static VmObserved fenced(long version, String fence) {
        return observation(version, "pod-a", VmPhase.RUNNING, true, sizes(cu(4)), Optional.empty(), fence);
    }

    @Test
    void startsAnewWithItsLastSessionWhenTheLedgerLostItsState() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        rig.report(new RunnerEvent.PermitAnswered(
                rig.only(RunnerAction.RequestPermit.class).number(), new PermitReply.OpenAgain(0)));
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.reason()).isEqualTo(StopReason.LEDGER_LOST);
        assertThat(stop.resume().lastSession()).isEqualTo(1);
        assertThat(stop.restartAfter()).isPresent();
    }

    @Test
    void stopsAtAMoveOnceThePatchInFlightEndedAndSendsNoOther() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(6);
        rig.report(new RunnerEvent.VmChanged(
                observation(2, "pod-a", VmPhase.MIGRATING, true, sizes(cu(4)), Optional.empty(), "r.1/0")));
        assertThat(rig.all(RunnerAction.Stop.class)).isEmpty();
        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.decisions).extracting(Decision::kind).containsExactly(Decision.Kind.SCALED_UP);
        assertThat(rig.all(RunnerAction.UpscaleGuest.class)).isEmpty();
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.reason()).isEqualTo(StopReason.MIGRATING);
        assertThat(stop.restartAfter()).isEmpty();
        assertThat(rig.all(RunnerAction.DetachFromMonitor.class)).hasSize(1);
    }

    @Test
    void stopsAtAMoveOnlyWhenTheLastOfManyAnswersIsThereAndActsOnNone() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        rig.sample(3);
        var down = rig.only(RunnerAction.DownscaleGuest.class);
        rig.report(new RunnerEvent.VmChanged(
                observation(2, "pod-a", VmPhase.MIGRATING, true, sizes(cu(4)), Optional.empty(), "r.1/0")));
        assertThat(rig.all(RunnerAction.Request.class)).isEmpty();
        rig.grant(request);
        assertThat(rig.all(RunnerAction.Request.class)).isEmpty();
        assertThat(rig.all(RunnerAction.Stop.class)).isEmpty();
        rig.report(new RunnerEvent.RequestFailed(down.number(), "timeout"));
        assertThat(rig.all(RunnerAction.Request.class)).isEmpty();
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.MIGRATING);
    }

    @Test
    void handsItsVmOverOnceTheLastReplyIsThereAndRequestsNothingMore() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(6);
        rig.report(new RunnerEvent.HandedOver());
        assertThat(rig.all(RunnerAction.Stop.class)).isEmpty();
        rig.pass(Duration.ofSeconds(9));
        assertThat(rig.all(RunnerAction.Request.class)).isEmpty();
        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.all(RunnerAction.Request.class)).isEmpty();
        assertThat(rig.all(RunnerAction.DetachFromMonitor.class)).hasSize(1);
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.reason()).isEqualTo(StopReason.HANDED_OVER);
        assertThat(stop.restartAfter()).isEmpty();
        assertThat(rig.last.getLast()).isEqualTo(stop);
    }

    /** What the next runner has done by now is not reported by the old one. */
    @Test
    void handsItsVmOverWithoutAWordOfTheOneThatWasFasterThanItsLastAnswer() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(6);
        rig.report(new RunnerEvent.HandedOver());
        rig.answer(patch, new PatchReply.Conflict(cu(5), "s.1/0"));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.HANDED_OVER);
        assertThat(rig.decisions).isEmpty();
    }

    @Test
    void handsItsVmOverAtTheLatestWhenItsLastRequestIsGivenUp() {
        var rig = RunnerRig.serving();
        rig.patchTo(6);
        rig.report(new RunnerEvent.HandedOver());
        rig.pass(RunnerRig.CONFIG.requestDeadline());
        rig.report(new RunnerEvent.Woken());
        assertThat(rig.runner.stage()).isEqualTo(RunnerState.Stage.STOPPED);
    }

    @Test
    void handsItsVmOverAtOnceOnItsWayIn() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.HandedOver());
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.HANDED_OVER);
    }

    static Stream<Arguments> endings() {
        return Stream.of(
                Arguments.of(StopReason.NOT_SERVED, "pod-a", VmPhase.RUNNING, false),
                Arguments.of(StopReason.NOT_SERVED, "pod-a", VmPhase.ENDED, true),
                Arguments.of(StopReason.MOVED, "pod-b", VmPhase.RUNNING, true));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void stopsWhenTheVmIsNoLongerItsOwn(StopReason reason, String pod, VmPhase phase, boolean autoscaled) {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.VmChanged(
                observation(2, pod, phase, autoscaled, sizes(cu(4)), Optional.empty(), "r.1/0")));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(reason);
    }

    @Test
    void anObservationWithoutItsPodIsNoMove() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.VmChanged(
                observation(2, "", VmPhase.RUNNING, true, sizes(cu(4)), Optional.empty(), "r.1/0")));
        assertThat(rig.all(RunnerAction.Stop.class)).isEmpty();
    }
}
