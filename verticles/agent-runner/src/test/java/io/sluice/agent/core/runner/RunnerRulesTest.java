package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.VM;
import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.observation;
import static io.sluice.agent.core.runner.RunnerRig.opened;
import static io.sluice.agent.core.runner.RunnerRig.ruled;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static io.sluice.agent.core.runner.RunnerRig.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single rules of a runner, each in the one turn in which it shows. */
class RunnerRulesTest {
    @ParameterizedTest(name = "{0}, pod {1}, node {2}, metrics at {3}: {4}")
    @CsvSource({
        "RUNNING, pod-a, n1, h, true",
        "SCALING, pod-a, n1, h, true",
        "PRE_MIGRATING, pod-a, n1, h, true",
        "MIGRATING, pod-a, n1, h, false",
        "ENDED, pod-a, n1, h, false",
        "RUNNING, '', n1, h, false",
        "RUNNING, pod-a, '', h, false",
        "RUNNING, pod-a, n1, '', false"
    })
    void servesOnlyAVmThatRunsAndCanBeReached(VmPhase phase, String pod, String node, String host, boolean serves) {
        var observed = observation(1, pod, phase, true, sizes(cu(4)), Optional.empty(), "");
        assertThat(Runner.serves(at(observed, node, new Endpoint(host, 9100, "/metrics"))))
                .isEqualTo(serves);
    }

    private static VmObserved at(VmObserved observed, String node, Endpoint metrics) {
        return new VmObserved(
                observed.vm(),
                observed.version(),
                observed.pod(),
                observed.podName(),
                node,
                observed.phase(),
                observed.autoscaled(),
                observed.migratable(),
                observed.alwaysMigrate(),
                observed.sizes(),
                observed.overcommit(),
                observed.overrides(),
                observed.currentRevision(),
                observed.approved(),
                observed.fence(),
                Optional.of(metrics),
                observed.fileCache(),
                observed.monitor(),
                observed.traits());
    }

    /** The VM's maximum is 16; before that was lowered, more use may have been observed. */
    @ParameterizedTest(name = "reserved {0}, recovered {1}, settled {2}: it begins with {3}")
    @CsvSource({
        "4, false, true, 2",
        "4, false, false, 4",
        "4, true, false, 16",
        "20, true, false, 20",
        "4, true, true, 2"
    })
    void reportsToTheLedgerWhatAnEarlierRunnerMayHavePatched(
            int reserved, boolean recovered, boolean settled, int reported) {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(),
                new OpenReply.Opened(1, cu(reserved), recovered)));
        rig.report(new RunnerEvent.ClaimAnswered(
                rig.only(RunnerAction.ClaimFence.class).number(),
                new ClaimReply.Claimed("r.1/0", sizes(cu(2)), settled, Optional.empty())));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(reported));
    }

    @Test
    void beginsWithTheSampleThatCameWhileItWasOnItsWayIn() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(), opened(1)));
        var claim = rig.only(RunnerAction.ClaimFence.class);
        rig.sample(6);
        rig.report(new RunnerEvent.ClaimAnswered(
                claim.number(), new ClaimReply.Claimed("r.1/0", sizes(cu(4)), true, Optional.empty())));
        var first = rig.only(RunnerAction.RequestPermit.class);
        assertThat(first.request().target()).as("it is introduced first").isEqualTo(cu(4));
        rig.grant(first);
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(6));
    }

    @Test
    void theFirstReasonToStopIsTheOneThatCounts() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(6);
        rig.report(new RunnerEvent.VmChanged(
                observation(2, "pod-a", VmPhase.MIGRATING, true, sizes(cu(4)), Optional.empty(), "r.1/0")));
        rig.report(new RunnerEvent.VmDeleted());
        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.MIGRATING);
    }

    @Test
    void aClaimUnderWayIsWaitedForBeforeItStops() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(), opened(1)));
        var claim = rig.only(RunnerAction.ClaimFence.class);
        rig.report(new RunnerEvent.VmDeleted());
        assertThat(rig.all(RunnerAction.Stop.class)).isEmpty();
        rig.report(new RunnerEvent.RequestFailed(claim.number(), "timeout"));
        assertThat(rig.only(RunnerAction.Stop.class).reason()).isEqualTo(StopReason.GONE);
    }

    @Test
    void aPatchThatOnlyShutsALostOneOutIsNotWorthAWord() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.RequestFailed(rig.patchTo(6).number(), "timeout"));
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.bounded(2, 1, 4)));
        rig.pass(Duration.ofSeconds(6));
        var shut = rig.only(RunnerAction.PatchSize.class);
        assertThat(shut.request().target()).isEqualTo(cu(4));
        rig.answer(shut, new PatchReply.Patched(9));
        assertThat(rig.decisions).isEmpty();
    }

    @Test
    void anOlderObservationEndsNothing() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.VmChanged(RunnerObservations.usual(9)));
        rig.report(new RunnerEvent.VmChanged(
                observation(8, "pod-a", VmPhase.ENDED, true, sizes(cu(4)), Optional.empty(), "r.1/0")));
        assertThat(rig.all(RunnerAction.Stop.class)).isEmpty();
    }

    @Test
    void aRunnerThatLivedForLongWasNotSupersededInARow() {
        var rig = new RunnerRig(vm(1), new RunnerHandover(1, "pod-a", 4));
        rig.serve();
        rig.live(Duration.ofSeconds(61), 4);
        rig.sample(6);
        rig.report(new RunnerEvent.PermitAnswered(
                rig.only(RunnerAction.RequestPermit.class).number(), new PermitReply.Superseded(9, "A")));
        var stop = rig.only(RunnerAction.Stop.class);
        assertThat(stop.restartAfter().orElseThrow()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        assertThat(stop.resume().supersededInARow()).isEqualTo(1);
    }

    @Test
    void thePatchAfterOneThatWasAcknowledgedTestsWhatThatOneWrote() {
        var rig = RunnerRig.serving();
        rig.answer(rig.patchTo(6), new PatchReply.Patched(9));
        var next = rig.patchTo(8).request();
        assertThat(next.fence()).isEqualTo("r.1/1");
        assertThat(next.nextFence()).isEqualTo("r.1/2");
    }

    @Test
    void aSeqThatIsReportedAsTakenNeverTakesItsOwnBack() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        rig.report(new RunnerEvent.PermitAnswered(request.number(), new PermitReply.Late(0, cu(4))));
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().seq())
                .isEqualTo(request.request().seq() + 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "0, 1"})
    void aReplyToAnotherRequestIsIgnored(long session, long seq) {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        var mine = request.request();
        var another = new PermitRequest(
                mine.node(),
                mine.pod(),
                mine.runner(),
                mine.session() + session,
                mine.seq() + seq,
                mine.computeUnit(),
                mine.target(),
                mine.lastPermit(),
                mine.load1());
        rig.report(new RunnerEvent.PermitAnswered(request.number(), ruled(another, cu(6), false)));
        assertThat(rig.all(RunnerAction.PatchSize.class)).isEmpty();
        assertThat(rig.warnings).anyMatch(reported -> reported.contains("another permit request"));
    }

    @Test
    void growsWithinTheBoundsOfThePermitInTheReply() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        var usual = ruled(request.request(), cu(6), false);
        rig.report(new RunnerEvent.PermitAnswered(
                request.number(),
                new PermitReply.Ruled(
                        usual.session(),
                        usual.seq(),
                        usual.permit(),
                        Duration.ofSeconds(4),
                        false,
                        usual.cpu(),
                        usual.memory())));
        assertThat(rig.only(RunnerAction.PatchSize.class).request().sendWithin())
                .isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void anAnswerOfAnEarlierMonitorSessionIsNotTakenForOneOfThePresent() {
        var rig = RunnerRig.serving();
        rig.sample(3);
        var before = rig.only(RunnerAction.DownscaleGuest.class);
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 7, true, "")));
        assertThat(rig.only(RunnerAction.DownscaleGuest.class).request().generation())
                .isEqualTo(7);
        rig.report(new RunnerEvent.GuestAnswered(before.number(), new ResizeReply.Accepted("")));
        assertThat(rig.all(RunnerAction.PatchSize.class)).isEmpty();
    }

    @Test
    void theRepliesOfAMonitorProcessThatCountsAnewAreAccepted() {
        var rig = RunnerRig.serving();
        rig.sample(3);
        while (rig.all(RunnerAction.AttachToMonitor.class).isEmpty()) {
            rig.now = rig.wakeAt().orElseThrow();
            rig.report(new RunnerEvent.Woken());
        }
        var attach = rig.only(RunnerAction.AttachToMonitor.class);
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 2, true, "")));
        assertThat(rig.all(RunnerAction.DownscaleGuest.class))
                .as("overtaken, for all that is known")
                .isEmpty();
        rig.report(new RunnerEvent.MonitorAttached(attach.number(), new MonitorState(VM, 2, true, "")));
        rig.guestConfirms();
        assertThat(rig.only(RunnerAction.DownscaleGuest.class).request().generation())
                .isEqualTo(2);
    }

    @Test
    void attachesToItsMonitorsSessionAtTheNewPlaceAndDetachesFromTheOld() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 5, true, "")));
        rig.report(new RunnerEvent.MonitorMoved());
        assertThat(rig.only(RunnerAction.DetachFromMonitor.class).at()).contains("");
        var attach = rig.only(RunnerAction.AttachToMonitor.class);
        rig.report(new RunnerEvent.MonitorAttached(attach.number(), new MonitorState(VM, 2, true, "", "d2")));
        rig.guestConfirms();
        rig.sample(3);
        var request = rig.only(RunnerAction.DownscaleGuest.class);
        assertThat(request.at()).isEqualTo("d2");
        assertThat(request.request().generation()).isEqualTo(2);
    }

    /** Its reply would be that of the earlier process. */
    @Test
    void givesUpAnAttachmentUnderWayWhenItsMonitorMoves() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        var before = rig.only(RunnerAction.AttachToMonitor.class);
        rig.report(new RunnerEvent.MonitorMoved());
        assertThat(rig.all(RunnerAction.DetachFromMonitor.class)).isEmpty();
        var after = rig.only(RunnerAction.AttachToMonitor.class);
        rig.report(new RunnerEvent.MonitorAttached(after.number(), new MonitorState(VM, 2, true, "", "d2")));
        rig.report(new RunnerEvent.MonitorAttached(before.number(), new MonitorState(VM, 9, true, "", "d1")));
        rig.report(new RunnerEvent.HandedOver());
        assertThat(rig.only(RunnerAction.DetachFromMonitor.class).at()).contains("d2");
    }

    @Test
    void scrapesNoFileCacheAndUsesNoMonitorWithoutAnAddress() {
        var observed = observation(1, "pod-a", VmPhase.RUNNING, true, sizes(cu(4)), Optional.empty(), "");
        var view = new VmObjectView(
                at(observed, "n1", new Endpoint("h", 1, "/"))
                        .with(Optional.of(new Endpoint("", 1, "/")), observed.traits()),
                RunnerRig.CONFIG.core().scaling(),
                RunnerHandover.FRESH.overrides());
        assertThat(view.reach(true).lfc()).isEmpty();
        assertThat(view.reach(true).metrics()).isPresent();
        assertThat(new VmObjectView(observed, RunnerRig.CONFIG.core().scaling(), RunnerHandover.FRESH.overrides())
                        .reach(false)
                        .lfc())
                .isEmpty();
    }
}
