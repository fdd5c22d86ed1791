package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.VM;
import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.observation;
import static io.sluice.agent.core.runner.RunnerRig.opened;
import static io.sluice.agent.core.runner.RunnerRig.ruled;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static io.sluice.agent.core.runner.RunnerRig.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a VM waits for, reached by real events. */
class WaitingTest {
    @Test
    void waitsForItsSessionThenForItsFenceThenForMetrics() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH);
        rig.report(new RunnerEvent.Started());
        assertThat(rig.waiting()).isEqualTo(Waiting.SESSION);
        assertThat(rig.status().permit()).isEmpty();

        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(), opened(3)));
        assertThat(rig.waiting()).isEqualTo(Waiting.CLAIM);
        assertThat(rig.why()).isEqualTo("the driver has to write the fence of session 3");
        assertThat(rig.status().permit()).contains(cu(4));

        rig.claim();
        assertThat(rig.waiting()).isEqualTo(Waiting.METRICS);
        assertThat(rig.status().goal()).isEmpty();
        assertThat(rig.status().size()).isEqualTo(cu(4));
    }

    @Test
    void waitsForNothingOnceItHasWhatItsLoadNeeds() {
        var rig = RunnerRig.serving().sample(4);
        assertThat(rig.waiting()).isEqualTo(Waiting.NOTHING);
        assertThat(rig.why()).isEmpty();
        assertThat(rig.status().goal()).contains(cu(4));
        assertThat(rig.status().permit()).contains(cu(4));
    }

    @Test
    void waitsForTheNodesFullListBeforeItsSession() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH);
        rig.report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(),
                new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofSeconds(1))));
        assertThat(rig.waiting()).isEqualTo(Waiting.NODE);
        assertThat(rig.why()).isEqualTo("the ledger has no full list of node n1 yet");
        rig.now = rig.now.plusSeconds(1);
        rig.report(new RunnerEvent.Woken());
        assertThat(rig.waiting()).as("while it is requested again").isEqualTo(Waiting.NODE);
    }

    @Test
    void waitsForTheNodesLedgerStateThatWasLostLater() {
        var rig = RunnerRig.serving().sample(6);
        rig.report(new RunnerEvent.PermitAnswered(
                rig.only(RunnerAction.RequestPermit.class).number(),
                new PermitReply.NotReady(NotReadyCause.NODE_UNKNOWN, Duration.ofSeconds(1))));
        assertThat(rig.waiting()).isEqualTo(Waiting.NODE);
        assertThat(rig.why()).isEqualTo("the ledger has not observed node n1 yet");
    }

    @Test
    void waitsForAnAnswerThenForThePatchThenForTheDriver() {
        var rig = RunnerRig.serving().sample(6);
        assertThat(rig.waiting()).isEqualTo(Waiting.PERMIT);
        assertThat(rig.why()).isEqualTo("requested 1500m/6Gi on node n1");

        rig.grant(rig.only(RunnerAction.RequestPermit.class));
        var patch = rig.only(RunnerAction.PatchSize.class);
        assertThat(rig.waiting()).isEqualTo(Waiting.PATCH);
        assertThat(rig.why()).isEqualTo("is being patched to 1500m/6Gi");

        rig.answer(patch, new PatchReply.Patched(9));
        var reported = rig.only(RunnerAction.UpscaleGuest.class);
        assertThat(rig.waiting()).isEqualTo(Waiting.MONITOR);
        assertThat(rig.why()).isEqualTo("the monitor is being notified of 1500m/6Gi");

        rig.report(new RunnerEvent.GuestAnswered(reported.number(), new ResizeReply.Accepted("")));
        assertThat(rig.waiting()).isEqualTo(Waiting.PATCH);
        assertThat(rig.why()).isEqualTo("patched to 1500m/6Gi, its status shows 1/4Gi");

        rig.shown(10, cu(6), patch.request().revision().value());
        rig.sample(6);
        assertThat(rig.waiting()).isEqualTo(Waiting.NOTHING);
    }

    @Test
    void waitsForADriverThatDoesNotApplyWhatWasPatched() {
        var rig = RunnerRig.serving();
        rig.answer(rig.patchTo(6), new PatchReply.Patched(9));
        rig.report(new RunnerEvent.GuestAnswered(
                rig.only(RunnerAction.UpscaleGuest.class).number(), new ResizeReply.Accepted("")));
        rig.live(Duration.ofMillis(59_999), 6);
        assertThat(rig.waiting()).isEqualTo(Waiting.PATCH);
        rig.live(Duration.ofMillis(1), 6);
        assertThat(rig.waiting()).isEqualTo(Waiting.DRIVER);
        assertThat(rig.why()).isEqualTo("patched to 1500m/6Gi, its status shows 1/4Gi, for 60.0 s");
    }

    @Test
    void waitsForNoDriverThatReportedItsStatusBeforeItsReply() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(6);
        rig.shown(10, cu(6), patch.request().revision().value());
        rig.answer(patch, new PatchReply.Patched(9));
        rig.report(new RunnerEvent.GuestAnswered(
                rig.only(RunnerAction.UpscaleGuest.class).number(), new ResizeReply.Accepted("")));
        assertThat(rig.waiting()).isEqualTo(Waiting.NOTHING);
    }

    @Test
    void wakesWhenADriverHasTakenTooLong() {
        var rig = RunnerRig.serving();
        rig.answer(rig.patchTo(6), new PatchReply.Patched(9));
        rig.report(new RunnerEvent.GuestAnswered(
                rig.only(RunnerAction.UpscaleGuest.class).number(), new ResizeReply.Accepted("")));
        var stuckAt = rig.now.plusSeconds(60);
        rig.live(Duration.ofMillis(59_990), 6);
        while (rig.now.isBefore(stuckAt)) {
            assertThat(rig.wakeAt().orElseThrow()).isBeforeOrEqualTo(stuckAt);
            rig.now = rig.wakeAt().orElseThrow();
            rig.report(new RunnerEvent.Woken());
        }
        assertThat(rig.now).isEqualTo(stuckAt);
        assertThat(rig.waiting()).isEqualTo(Waiting.DRIVER);
    }

    @Test
    void waitsForRoomAsLongAsItIsDenied() {
        var rig = RunnerRig.serving().sample(8);
        rig.rule(rig.only(RunnerAction.RequestPermit.class), cu(6));
        assertThat(rig.waiting()).as("first it takes what it got").isEqualTo(Waiting.PATCH);
        rig.answer(rig.only(RunnerAction.PatchSize.class), new PatchReply.Patched(9));
        assertThat(rig.waiting()).isEqualTo(Waiting.ROOM);
        assertThat(rig.why())
                .isEqualTo("cpu: requested 2000m, permitted 1500m: node n1 has 300m of 10000m left; "
                        + "memory: requested 8Gi, permitted 6Gi: node n1 has 1Gi of 32Gi left");
        assertThat(rig.status().goal()).contains(cu(8));
        assertThat(rig.status().permit()).contains(cu(6));

        rig.pass(Duration.ofSeconds(3));
        assertThat(rig.all(RunnerAction.RequestPermit.class)).hasSize(1);
        assertThat(rig.waiting()).as("while it is requested again").isEqualTo(Waiting.ROOM);
    }

    @Test
    void waitsOutAPauseAfterALostRequest() {
        var rig = RunnerRig.serving().sample(6);
        rig.report(new RunnerEvent.RequestFailed(
                rig.only(RunnerAction.RequestPermit.class).number(), "timeout"));
        assertThat(rig.waiting()).isEqualTo(Waiting.RETRY);
        assertThat(rig.why()).isEqualTo("a permit request failed: timeout; again in 3.0 s");
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.waiting()).isEqualTo(Waiting.RETRY);
        assertThat(rig.why()).isEqualTo("a permit request failed: timeout; tried again");
        rig.grant(rig.only(RunnerAction.RequestPermit.class));
        assertThat(rig.waiting()).isEqualTo(Waiting.PATCH);
    }

    @Test
    void waitsOutAPauseAfterWhateverElseFailed() {
        var opening = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        opening.report(new RunnerEvent.SessionAnswered(
                opening.only(RunnerAction.OpenLedgerSession.class).number(),
                new OpenReply.Refused(RefusalCause.POD_UNKNOWN)));
        assertThat(opening.waiting()).isEqualTo(Waiting.RETRY);
        assertThat(opening.why())
                .isEqualTo("the ledger opened no session: the node has no reservation for this pod; again in 3.0 s");

        var claiming = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        claiming.report(new RunnerEvent.SessionAnswered(
                claiming.only(RunnerAction.OpenLedgerSession.class).number(), opened(1)));
        claiming.report(new RunnerEvent.ClaimAnswered(
                claiming.only(RunnerAction.ClaimFence.class).number(), new ClaimReply.Failed("no")));
        assertThat(claiming.waiting()).isEqualTo(Waiting.RETRY);
        assertThat(claiming.why()).isEqualTo("the fence was not written: no; again in 5.0 s");

        var patching = RunnerRig.serving();
        patching.answer(patching.patchTo(6), new PatchReply.Refused(422, "no"));
        assertThat(patching.waiting()).isEqualTo(Waiting.RETRY);
        assertThat(patching.why()).isEqualTo("a patch was refused (422): no; again in 5.0 s");

        var requesting = RunnerRig.serving().sample(3);
        requesting.report(new RunnerEvent.GuestAnswered(
                requesting.only(RunnerAction.DownscaleGuest.class).number(), new ResizeReply.Failed("hung up")));
        assertThat(requesting.waiting()).isEqualTo(Waiting.RETRY);
        assertThat(requesting.why()).isEqualTo("the downscale request to the monitor failed: hung up; again in 3.0 s");
    }

    @Test
    void waitsForAnotherPermitWhenItsOwnLapsedUnused() {
        var rig = RunnerRig.serving();
        rig.answer(rig.patchTo(6), new PatchReply.Refused(500, "not now"));
        rig.pass(Duration.ofSeconds(6));
        rig.answer(rig.only(RunnerAction.PatchSize.class), new PatchReply.Refused(500, "not now"));
        assertThat(rig.waiting()).isEqualTo(Waiting.RETRY);
        rig.pass(Duration.ofSeconds(6));
        assertThat(rig.all(RunnerAction.RequestPermit.class)).hasSize(1);
        assertThat(rig.waiting()).isEqualTo(Waiting.PERMIT_LAPSED);
        assertThat(rig.why())
                .isEqualTo("the permit for 1500m/6Gi lapsed 0.0 s ago, before the VM grew; it is requested again");
    }

    @Test
    void waitsForItsMonitorThenForItsDeniedDownscale() {
        var rig = RunnerRig.serving().sample(3);
        assertThat(rig.waiting()).isEqualTo(Waiting.MONITOR);
        assertThat(rig.why()).isEqualTo("a downscale to 750m/3Gi was requested from the monitor");

        rig.report(new RunnerEvent.GuestAnswered(
                rig.only(RunnerAction.DownscaleGuest.class).number(), new ResizeReply.Denied("threshold too low")));
        assertThat(rig.waiting()).isEqualTo(Waiting.DENIED_DOWNSCALE);
        assertThat(rig.why()).isEqualTo("a downscale to 750m/3Gi is denied: threshold too low");
        assertThat(rig.status().goal())
                .as("the load's, not the denied downscale's")
                .contains(cu(3));

        rig.live(Duration.ofSeconds(6), 3);
        assertThat(rig.waiting()).as("while it is requested again").isEqualTo(Waiting.DENIED_DOWNSCALE);
        rig.sample(4);
        assertThat(rig.waiting()).isNotEqualTo(Waiting.DENIED_DOWNSCALE);
    }

    @Test
    void waitsForAMonitorThatIsNotThere() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 6, false, "closed")));
        rig.sample(3);
        assertThat(rig.waiting()).isEqualTo(Waiting.MONITOR);
        assertThat(rig.why()).isEqualTo("its monitor is not connected: the VM is not shrunk without it");
    }

    @Test
    void shrinksByWayOfAPatch() {
        var rig = RunnerRig.serving().sample(3);
        rig.report(new RunnerEvent.GuestAnswered(
                rig.only(RunnerAction.DownscaleGuest.class).number(), new ResizeReply.Accepted("fine")));
        assertThat(rig.waiting()).isEqualTo(Waiting.PATCH);
        rig.answer(rig.only(RunnerAction.PatchSize.class), new PatchReply.Refused(409, "busy"));
        assertThat(rig.waiting()).isEqualTo(Waiting.RETRY);
    }

    @Test
    void waitsOutAMigrationThatTheLedgerReports() {
        var rig = RunnerRig.serving().sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        rig.report(new RunnerEvent.PermitAnswered(request.number(), ruled(request.request(), cu(4), true)));
        assertThat(rig.waiting()).isEqualTo(Waiting.MIGRATION);
        assertThat(rig.why()).isEqualTo("the VM is about to leave node n1");
    }

    @Test
    void waitsForANodeThatIsNotReady() {
        var rig = RunnerRig.serving().sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        rig.report(new RunnerEvent.PermitAnswered(
                request.number(), ruled(request.request(), cu(4), KindDecision.Rule.NODE_NOT_READY)));

        assertThat(rig.waiting()).isEqualTo(Waiting.NODE);
        assertThat(rig.why())
                .isEqualTo("cpu: requested 1500m, permitted 1000m: node n1 is not ready; memory: requested 6Gi,"
                        + " permitted 4Gi: node n1 is not ready");
        assertThat(rig.decisions.getFirst().reason()).contains("permitted 1000m: node n1 is not ready");
    }

    @Test
    void waitsForNothingMoreAtItsMaximum() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(20);
        assertThat(patch.request().target()).isEqualTo(cu(16));
        rig.answer(patch, new PatchReply.Patched(9));
        rig.report(new RunnerEvent.GuestAnswered(
                rig.only(RunnerAction.UpscaleGuest.class).number(), new ResizeReply.Accepted("")));
        rig.shown(10, cu(16), patch.request().revision().value());
        assertThat(rig.waiting()).isEqualTo(Waiting.MAX);
        assertThat(rig.why()).isEqualTo("its load asks for 5/1Gi by kind, and its maximum is 4/16Gi");
        assertThat(rig.status().goal()).contains(cu(16));
    }

    @Test
    void isAtTheMaximumThatTheLedgerReports() {
        var rig = RunnerRig.serving().sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        var permitRequest = request.request();
        var cut = new PermitReply.Ruled(
                permitRequest.session(),
                permitRequest.seq(),
                cu(4),
                Duration.ofSeconds(10),
                false,
                new KindDecision(KindDecision.Rule.CUT_TO_MAX, 1000, 1500, 1000, 9000, 1000, 10_000),
                new KindDecision(KindDecision.Rule.CUT_TO_MAX, 4L << 30, 6L << 30, 4L << 30, 1L << 40, 0, 1L << 40));
        rig.report(new RunnerEvent.PermitAnswered(request.number(), cut));
        assertThat(rig.waiting()).isEqualTo(Waiting.MAX);
        assertThat(rig.why()).contains("cpu: requested 1500m, permitted 1000m", "that is the VM's maximum");
    }

    @Test
    void isSupersededWhenAnotherSpeaksForIt() {
        var rig = RunnerRig.serving();
        rig.answer(rig.patchTo(6), new PatchReply.Conflict(cu(5), "s.1/0"));
        assertThat(rig.waiting()).isEqualTo(Waiting.SUPERSEDED);
        assertThat(rig.why()).isEqualTo("another runner wrote the fence on the VM: s.1/0");
        assertThat(rig.status().size()).isEqualTo(cu(5));
    }

    @Test
    void beginsAnewWhenTheLedgerStateWasLost() {
        var rig = RunnerRig.serving().sample(6);
        rig.report(new RunnerEvent.PermitAnswered(
                rig.only(RunnerAction.RequestPermit.class).number(), new PermitReply.OpenAgain(0)));
        assertThat(rig.waiting()).isEqualTo(Waiting.RETRY);
        assertThat(rig.why()).isEqualTo("the ledger has no session beyond 0; another runner begins anew");
    }

    @Test
    void isStoppedWhenItsVmIsNotScaledAnyMore() {
        var deleted = RunnerRig.serving().sample(4).report(new RunnerEvent.VmDeleted());
        assertThat(deleted.waiting()).isEqualTo(Waiting.STOPPED);
        assertThat(deleted.why()).isEqualTo("the VM was deleted");
        assertThat(deleted.status().goal()).as("the last one").contains(cu(4));

        var switchedOff = RunnerRig.serving()
                .report(new RunnerEvent.VmChanged(
                        observation(2, "pod-a", VmPhase.RUNNING, false, sizes(cu(4)), Optional.empty(), "r.1/0")));
        assertThat(switchedOff.waiting()).isEqualTo(Waiting.STOPPED);
    }
}
