package io.sluice.agent.core.runner;

import static io.sluice.agent.core.runner.RunnerRig.VM;
import static io.sluice.agent.core.runner.RunnerRig.cu;
import static io.sluice.agent.core.runner.RunnerRig.observation;
import static io.sluice.agent.core.runner.RunnerRig.opened;
import static io.sluice.agent.core.runner.RunnerRig.ruled;
import static io.sluice.agent.core.runner.RunnerRig.sizes;
import static io.sluice.agent.core.runner.RunnerRig.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.metrics.MetricsFault;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.PatchReply;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RunnerTest {
    @Test
    void opensASessionThenClaimsTheFenceThenRequests() {
        var rig = new RunnerRig(vm(1), new RunnerHandover(6, "pod-a", 0));
        rig.report(new RunnerEvent.Started());
        var open = rig.only(RunnerAction.OpenLedgerSession.class);
        assertThat(open.request().lastSession()).isEqualTo(6);
        assertThat(open.request().pod()).isEqualTo("pod-a");

        rig.report(new RunnerEvent.SessionAnswered(open.number(), opened(7)));
        var claim = rig.only(RunnerAction.ClaimFence.class);
        assertThat(claim.request().runner()).isEqualTo("r.1");
        assertThat(rig.all(RunnerAction.RequestPermit.class)).isEmpty();

        rig.report(new RunnerEvent.ClaimAnswered(
                claim.number(), new ClaimReply.Claimed("r.1/0", sizes(cu(6)), true, Optional.empty())));
        var request = rig.only(RunnerAction.RequestPermit.class).request();
        assertThat(request.target())
                .as("the size that the claim showed, not the older observation's")
                .isEqualTo(cu(6));
        assertThat(request.session()).isEqualTo(7);
        assertThat(request.seq()).isEqualTo(1);
    }

    @Test
    void namesNoSessionOfAnotherPod() {
        var rig = new RunnerRig(vm(1), new RunnerHandover(6, "pod-before", 0));
        rig.report(new RunnerEvent.Started());
        assertThat(rig.only(RunnerAction.OpenLedgerSession.class).request().lastSession())
                .isZero();
    }

    static Stream<Arguments> slowOpenings() {
        return Stream.of(
                Arguments.of(new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofSeconds(1)), 1),
                Arguments.of(new OpenReply.Refused(RefusalCause.POD_UNKNOWN), 3));
    }

    @ParameterizedTest
    @MethodSource("slowOpenings")
    void opensAgainAfterAWhile(OpenReply reply, int seconds) {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH);
        rig.report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(), reply));
        assertThat(rig.all(RunnerAction.OpenLedgerSession.class)).isEmpty();
        rig.now = RunnerRig.START.plusSeconds(seconds);
        rig.report(new RunnerEvent.Woken());
        assertThat(rig.all(RunnerAction.OpenLedgerSession.class)).hasSize(1);
    }

    @Test
    void claimsAgainInAnotherNameWhenAClaimWasLost() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH);
        rig.report(new RunnerEvent.Started());
        rig.report(new RunnerEvent.SessionAnswered(
                rig.only(RunnerAction.OpenLedgerSession.class).number(), opened(1)));
        var first = rig.only(RunnerAction.ClaimFence.class);
        rig.report(new RunnerEvent.RequestFailed(first.number(), "timeout"));
        rig.now = rig.now.plusSeconds(5);
        rig.report(new RunnerEvent.Woken());
        var second = rig.only(RunnerAction.ClaimFence.class);
        assertThat(second.request().runner()).isEqualTo("r.2");

        rig.report(new RunnerEvent.ClaimAnswered(
                first.number(), new ClaimReply.Claimed("r.1/0", sizes(cu(4)), true, Optional.empty())));
        assertThat(rig.all(RunnerAction.RequestPermit.class))
                .as("the first claim was given up")
                .isEmpty();
    }

    @Test
    void notifiesTheGuestOfAnOlderSession() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH);
        rig.report(new RunnerEvent.Started());
        var open = rig.only(RunnerAction.OpenLedgerSession.class);
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 6, true, "")));
        rig.report(new RunnerEvent.SessionAnswered(open.number(), opened(1)));
        rig.claim();
        var notified = rig.only(RunnerAction.UpscaleGuest.class);
        assertThat(notified.request().target()).isEqualTo(cu(4));

        rig.grant(rig.only(RunnerAction.RequestPermit.class)).sample(3);
        assertThat(rig.all(RunnerAction.DownscaleGuest.class)).isEmpty();
        assertThat(rig.all(RunnerAction.PatchSize.class)).isEmpty();
        rig.report(new RunnerEvent.GuestAnswered(notified.number(), new ResizeReply.Accepted("")));
        assertThat(rig.only(RunnerAction.DownscaleGuest.class).request().target())
                .isEqualTo(cu(3));
    }

    @Test
    void notifiesNoGuestOfASessionThatBeginsWhileItServes() {
        var rig = RunnerRig.serving();
        assertThat(rig.all(RunnerAction.UpscaleGuest.class)).isEmpty();
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 7, true, "")));
        assertThat(rig.all(RunnerAction.UpscaleGuest.class)).isEmpty();
    }

    @Test
    void scalesUpByWayOfLedgerDriverAndMonitor() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var raised = rig.now;
        var request = rig.only(RunnerAction.RequestPermit.class);
        assertThat(request.request().target()).isEqualTo(cu(6));
        assertThat(request.request().seq()).isEqualTo(2);
        rig.grant(request);
        var patch = rig.only(RunnerAction.PatchSize.class);
        assertThat(patch.request().fence()).isEqualTo("r.1/0");
        assertThat(patch.request().nextFence()).isEqualTo("r.1/1");
        assertThat(patch.request().target()).isEqualTo(cu(6));
        assertThat(patch.request().sendWithin())
                .as("what is left of the permit")
                .isEqualTo(Duration.ofSeconds(10));

        rig.now = raised.plusMillis(40);
        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.only(RunnerAction.UpscaleGuest.class).request().target()).isEqualTo(cu(6));
        var decision = rig.decisions.getLast();
        assertThat(decision.kind()).isEqualTo(Decision.Kind.SCALED_UP);
        assertThat(decision.from()).isEqualTo(cu(4));
        assertThat(decision.to()).isEqualTo(cu(6));
        assertThat(decision.reaction()).contains(Duration.ofMillis(40));
        assertThat(decision.reason())
                .isEqualTo("goal 6 CU: cpu needs 6.00 (load1 1.35, load5 1.35), " + "memory needs 0.00 (1 MiB in use)");
    }

    @Test
    void scalesDownByWayOfMonitorDriverAndLedger() {
        var rig = RunnerRig.serving();
        rig.sample(3);
        var down = rig.only(RunnerAction.DownscaleGuest.class);
        assertThat(down.request().generation()).isEqualTo(5);
        rig.report(new RunnerEvent.GuestAnswered(down.number(), new ResizeReply.Accepted("fine")));
        var patch = rig.only(RunnerAction.PatchSize.class);
        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.all(RunnerAction.RequestPermit.class))
                .as("the status does not show it yet")
                .isEmpty();
        rig.shown(10, cu(3), patch.request().revision().value());
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(3));
        assertThat(rig.decisions).extracting(Decision::kind).containsExactly(Decision.Kind.SCALED_DOWN);
    }

    @Test
    void reportsWhyItWasDeniedOnceAndRequestsAgainWithTheNextSeq() {
        var rig = RunnerRig.serving();
        rig.sample(8);
        rig.rule(rig.only(RunnerAction.RequestPermit.class), cu(6));
        var decision = rig.decisions.getFirst();
        assertThat(decision.kind()).isEqualTo(Decision.Kind.DENIED);
        assertThat(decision.to()).isEqualTo(cu(8));
        assertThat(decision.reason())
                .isEqualTo("cpu: requested 2000m, permitted 1500m: node n1 has 300m of 10000m left; "
                        + "memory: requested 8Gi, permitted 6Gi: node n1 has 1Gi of 32Gi left");
        rig.answer(rig.only(RunnerAction.PatchSize.class), new PatchReply.Patched(9));

        rig.pass(Duration.ofSeconds(3));
        var again = rig.only(RunnerAction.RequestPermit.class);
        assertThat(again.request().seq()).isEqualTo(3);
        rig.rule(again, cu(6));
        assertThat(rig.decisions)
                .filteredOn(reported -> reported.kind() == Decision.Kind.DENIED)
                .hasSize(1);
    }

    @Test
    void numbersTheRequestAfterALostOneAnew() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var lost = rig.only(RunnerAction.RequestPermit.class);
        rig.report(new RunnerEvent.RequestFailed(lost.number(), "timeout"));
        rig.pass(Duration.ofSeconds(4));
        var next = rig.only(RunnerAction.RequestPermit.class);
        assertThat(next.request().seq()).isEqualTo(lost.request().seq() + 1);

        rig.report(new RunnerEvent.PermitAnswered(lost.number(), ruled(lost.request(), cu(6), false)));
        assertThat(rig.all(RunnerAction.PatchSize.class))
                .as("the lost one's late reply")
                .isEmpty();
    }

    @Test
    void goesOnBeyondASeqThatWasTaken() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        rig.report(new RunnerEvent.PermitAnswered(
                rig.only(RunnerAction.RequestPermit.class).number(), new PermitReply.Late(40, cu(4))));
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().seq()).isEqualTo(41);
    }

    @Test
    void requestsNoSoonerThanALedgerThatIsNotReadyAllows() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        rig.report(new RunnerEvent.PermitAnswered(
                rig.only(RunnerAction.RequestPermit.class).number(),
                new PermitReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofSeconds(9))));
        var reported = rig.now;
        rig.pass(Duration.ofSeconds(20));
        assertThat(rig.all(RunnerAction.RequestPermit.class)).hasSize(1);
        assertThat(Duration.between(reported, rig.now)).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void testsTheOldFenceAfterALostPatchAndAdoptsTheOneThatTurnsOutToStand() {
        var rig = RunnerRig.serving();
        rig.report(new RunnerEvent.RequestFailed(rig.patchTo(6).number(), "timeout"));
        assertThat(rig.runner.state().core().orElseThrow().exposure()).isEqualTo(cu(6));

        rig.pass(Duration.ofSeconds(6));
        if (!rig.all(RunnerAction.RequestPermit.class).isEmpty()) {
            rig.grant(rig.only(RunnerAction.RequestPermit.class));
        }
        var second = rig.only(RunnerAction.PatchSize.class);
        assertThat(second.request().fence()).isEqualTo("r.1/0");
        assertThat(second.request().nextFence())
                .as("no number is written twice")
                .isEqualTo("r.1/2");

        rig.answer(second, new PatchReply.Conflict(cu(6), "r.1/1"));
        assertThat(rig.decisions).extracting(Decision::kind).containsExactly(Decision.Kind.SCALED_UP);
        assertThat(rig.runner.state().fence()).isEqualTo("r.1/1");
        assertThat(rig.runner.state().core().orElseThrow().using()).isEqualTo(cu(6));
    }

    @Test
    void ignoresALateAcknowledgementOfAPatchThatWasGivenUp() {
        var rig = RunnerRig.serving();
        var lost = rig.patchTo(6);
        rig.report(new RunnerEvent.RequestFailed(lost.number(), "timeout"));
        rig.answer(lost, new PatchReply.Patched(9));
        assertThat(rig.runner.state().fence()).isEqualTo("r.1/0");
        assertThat(rig.decisions).isEmpty();
    }

    @Test
    void patchesNothingWhileTheLedgerReportsThatTheVmIsAboutToMove() {
        var rig = RunnerRig.serving();
        rig.sample(6);
        var request = rig.only(RunnerAction.RequestPermit.class);
        rig.report(new RunnerEvent.PermitAnswered(request.number(), ruled(request.request(), cu(5), true)));
        assertThat(rig.all(RunnerAction.PatchSize.class)).isEmpty();
        assertThat(rig.decisions.getFirst().reason()).contains("the VM is about to leave node n1");
        rig.pass(Duration.ofSeconds(3));
        rig.rule(rig.only(RunnerAction.RequestPermit.class), cu(6));
        assertThat(rig.all(RunnerAction.PatchSize.class))
                .as("the move was revoked")
                .hasSize(1);
    }

    @Test
    void reportsThatTheMonitorRefusedToShrinkInTheMonitorsWords() {
        var rig = RunnerRig.serving();
        rig.sample(3);
        var down = rig.only(RunnerAction.DownscaleGuest.class);
        rig.report(new RunnerEvent.GuestAnswered(down.number(), new ResizeReply.Denied("threshold too low")));
        var decision = rig.decisions.getFirst();
        assertThat(decision.kind()).isEqualTo(Decision.Kind.DOWNSCALE_DENIED);
        assertThat(decision.reason()).isEqualTo("threshold too low");
        assertThat(rig.all(RunnerAction.PatchSize.class)).isEmpty();
    }

    @Test
    void requestsMoreOnAnUpscaleRequestAndMeasuresFromIt() {
        var rig = RunnerRig.serving();
        rig.sample(4);
        rig.report(new RunnerEvent.UpscaleRequested(new UpscaleRequest(VM, 5)));
        var upscaleRequest = rig.now;
        assertThat(rig.decisions).extracting(Decision::kind).containsExactly(Decision.Kind.UPSCALE_REQUESTED);
        assertThat(rig.decisions.getFirst().to()).isEqualTo(cu(5));
        rig.grant(rig.only(RunnerAction.RequestPermit.class));
        var patch = rig.only(RunnerAction.PatchSize.class);
        rig.now = upscaleRequest.plusMillis(7);
        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.decisions.getLast().reaction()).contains(Duration.ofMillis(7));
    }

    @Test
    void ignoresAnUpscaleRequestOfASessionThatIsOver() {
        var rig = RunnerRig.serving();
        rig.sample(4);
        rig.report(new RunnerEvent.UpscaleRequested(new UpscaleRequest(VM, 4)));
        assertThat(rig.decisions).isEmpty();
        assertThat(rig.all(RunnerAction.RequestPermit.class)).isEmpty();
    }

    @Test
    void anUpscaleRequestBeforeItsSessionIsKnownCountsOnceItIs() {
        var rig = RunnerRig.serving();
        rig.sample(4);
        rig.report(new RunnerEvent.UpscaleRequested(new UpscaleRequest(VM, 6)));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(5));
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 6, true, "")));
        assertThat(rig.status().basis().requestedCu())
                .as("the lost session's own upscale requests end with it, not this one")
                .isEqualTo(5);

        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 7, true, "")));
        assertThat(rig.status().basis().requestedCu()).isZero();
    }

    @Test
    void anUpscaleRequestThatArrivesDuringStartCountsOnceItServes() {
        var rig = new RunnerRig(vm(1), RunnerHandover.FRESH).report(new RunnerEvent.Started());
        var open = rig.only(RunnerAction.OpenLedgerSession.class);
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 6, true, "")));
        rig.report(new RunnerEvent.UpscaleRequested(new UpscaleRequest(VM, 6)));
        rig.report(new RunnerEvent.SessionAnswered(open.number(), opened(1)));
        rig.claim();
        rig.grant(rig.only(RunnerAction.RequestPermit.class));
        assertThat(rig.only(RunnerAction.RequestPermit.class).request().target())
                .isEqualTo(cu(5));
    }

    @Test
    void anAnswerOfAnEarlierMonitorSessionChangesNothing() {
        var rig = RunnerRig.serving();
        rig.sample(3);
        var down = rig.only(RunnerAction.DownscaleGuest.class);
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 6, false, "closed")));
        rig.report(new RunnerEvent.GuestAnswered(down.number(), new ResizeReply.Accepted("fine")));
        assertThat(rig.all(RunnerAction.PatchSize.class)).isEmpty();
        rig.report(new RunnerEvent.MonitorChanged(new MonitorState(VM, 7, true, "")));
        assertThat(rig.only(RunnerAction.DownscaleGuest.class).request().generation())
                .isEqualTo(7);
    }

    @Test
    void forgetsMetricsThatAreTooOld() {
        var rig = RunnerRig.serving();
        rig.sample(4);
        assertThat(rig.runner.state().core().orElseThrow().hasAllMetrics()).isTrue();
        var taken = rig.now;
        for (int i = 0; i < 100 && rig.now.isBefore(taken.plusSeconds(15)); i++) {
            rig.now = rig.wakeAt().orElseThrow();
            rig.report(new RunnerEvent.Woken());
            for (var scrape : rig.all(RunnerAction.Scrape.class)) {
                rig.report(new RunnerEvent.RequestFailed(scrape.number(), "refused"));
            }
            for (var request : rig.all(RunnerAction.RequestPermit.class)) {
                rig.grant(request);
            }
        }
        assertThat(rig.now).isEqualTo(taken.plusSeconds(15));
        assertThat(rig.runner.state().core().orElseThrow().hasAllMetrics()).isFalse();
        assertThat(rig.warnings)
                .filteredOn(reported -> reported.startsWith("a scrape failed"))
                .hasSize(1);
    }

    @Test
    void aSampleThatIsAvailableIsScrapedAtOnce() {
        var rig = RunnerRig.serving();
        rig.sample(4);
        assertThat(rig.all(RunnerAction.Scrape.class)).isEmpty();

        rig.report(new RunnerEvent.SampleAvailable());
        var scrape = rig.only(RunnerAction.Scrape.class);
        // What becomes available while one is under way is scraped as soon as that has ended.
        rig.report(new RunnerEvent.SampleAvailable());
        assertThat(rig.all(RunnerAction.Scrape.class)).isEmpty();
        rig.report(new RunnerEvent.RequestFailed(scrape.number(), "lost"));
        assertThat(rig.all(RunnerAction.Scrape.class)).hasSize(1);
    }

    @Test
    void aRejectedTextIsNoSample() {
        var rig = scraping(new MetricsReading.Rejected(MetricsFault.MISSING, "no gauge"));
        assertThat(rig.runner.state().core().orElseThrow().hasAllMetrics()).isFalse();
        assertThat(rig.warnings).anyMatch(reported -> reported.contains("no gauge"));
    }

    @Test
    void metricsThatAreNotThereYetAreNeitherASampleNorAFault() {
        var rig = scraping(new MetricsReading.Unchanged());
        assertThat(rig.runner.state().core().orElseThrow().hasAllMetrics()).isFalse();
        assertThat(rig.warnings).isEmpty();
    }

    private static RunnerRig scraping(MetricsReading reading) {
        var rig = RunnerRig.serving();
        while (rig.all(RunnerAction.Scrape.class).isEmpty()) {
            rig.now = rig.wakeAt().orElseThrow();
            rig.report(new RunnerEvent.Woken());
        }
        rig.report(new RunnerEvent.Scraped(rig.only(RunnerAction.Scrape.class).number(), reading));
        return rig;
    }

    @Test
    void anObservationFromBeforeTheClaimDoesNotLowerWhatTheVmMayUse() {
        var rig = RunnerRig.serving();
        rig.shown(2, cu(6), 1);
        assertThat(rig.runner.state().core().orElseThrow().exposure()).isEqualTo(cu(6));
        rig.report(new RunnerEvent.VmChanged(
                observation(3, "pod-a", VmPhase.RUNNING, true, sizes(cu(4)), Optional.empty(), "old/3")));
        assertThat(rig.runner.state().core().orElseThrow().exposure()).isEqualTo(cu(6));
    }

    @Test
    void givesUpARequestWithoutAReply() {
        var rig = RunnerRig.serving();
        var patch = rig.patchTo(6);
        rig.now = rig.now.plusSeconds(15);
        rig.report(new RunnerEvent.Woken());
        assertThat(rig.runner.state().core().orElseThrow().inDoubt()).isTrue();
        rig.answer(patch, new PatchReply.Patched(9));
        assertThat(rig.runner.state().fence()).isNotEqualTo("r.1/1");
    }
}
