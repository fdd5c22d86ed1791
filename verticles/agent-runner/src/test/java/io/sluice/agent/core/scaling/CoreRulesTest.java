package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.cu;
import static io.sluice.agent.core.scaling.Scenario.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.revision.Latency;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Single rules of the core that no scenario depends on, each in the one frame in which it shows. */
class CoreRulesTest {
    private static Scenario reference() {
        return Scenario.of(Scenario.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 1);
    }

    @Test
    void whatAnEarlierRunnerMayHavePatchedCountsUntilItsOwnPatchIsShown() {
        var scenario = Scenario.of(2);
        scenario.core().foundUnsettled(cu(5), Instant.EPOCH);
        scenario.load(2).requests(5).granted(5).patches(2).patchLands();
        assertThat(scenario.core().state().exposure()).isEqualTo(cu(5));
        scenario.at(1).settledAt(2).requests(2);
    }

    @Test
    void theTickReportsAPatchThatIsInDoubt() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        scenario.at(2).core().neonVmInDoubt(scenario.now());
        scenario.load(1).at(16).requests(4);
    }

    @Test
    void aLapsedPermitLetsNothingGrowWhileTheNextRequestFails() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(3).requests(3).granted(3).patches(3);
        scenario.at(6).patchFails();
        assertThat(scenario.at(11).next().neonVmRequest())
                .as("not even beside the request for it")
                .isEmpty();
        scenario.requests(3).requestFails();
        assertThat(scenario.next().neonVmRequest()).isEmpty();
        assertThat(scenario.core().state().permit()).contains(cu(1));
    }

    @Test
    void aLapsedPermitIsNotMoreThanItWasWhereTheVmIsFoundLarger() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        scenario.at(2).core().neonVmConflict(scenario.now(), cu(6));
        scenario.at(12);
        assertThat(scenario.next().pluginRequest().orElseThrow().lastPermit()).contains(cu(4));
        assertThat(scenario.core().state().effectivePermit(scenario.now())).contains(cu(4));
        assertThat(scenario.core().detail().effectivePermit(scenario.now())).contains(cu(4));
    }

    @Test
    void aPatchDownNeedsNoPermitThatStands() {
        var scenario = Scenario.of(2).introduced(2).monitorConnects();
        scenario.at(1).load(1).downscalesGuest(1).guestAllows();
        assertThat(scenario.next().neonVmRequest().orElseThrow().notAfter()).isEmpty();
    }

    @Test
    void aPermitThatIsRefusedAcknowledgesNothing() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(2).requests(2);
        var request = new ActionRevision(new Revision(9, Revision.UP), scenario.now());
        scenario.core().takeLatencies();
        assertThat(scenario.core().schedulerSuccess(scenario.now(), cu(3), Optional.empty(), request))
                .isFalse();
        assertThat(scenario.core().takeLatencies()).isEmpty();
        assertThat(scenario.core().detail().scheduler().acknowledged()).isEqualTo(Revision.ZERO);
    }

    @Test
    void aPermitOfNothingOfOneKindIsRefusedWhateverIsUsedOfIt() {
        var noMemory = new Resources(250, 0);
        var scenario = Scenario.of(CoreConfig.DEFAULTS, Scenario.vm(noMemory, Optional.empty(), Optional.empty()));
        scenario.requests(noMemory);
        var request = new ActionRevision(new Revision(1, 0), scenario.now());
        assertThat(scenario.core().schedulerSuccess(scenario.now(), noMemory, Optional.empty(), request))
                .isFalse();
    }

    @Test
    void onePatchIsSentAtATime() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        assertThat(scenario.core().neonVmStarting(scenario.now(), cu(2), new Revision(99, 1)))
                .isFalse();
        scenario.patchLands().uses(4);
    }

    @Test
    void whatAnotherRunnerPatchedCountsEvenAfterItIsFoundSmaller() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        scenario.core().neonVmConflict(scenario.now(), cu(6));
        scenario.at(7).load(7).requests(7).granted(7).patches(7);
        scenario.core().neonVmConflict(scenario.now(), cu(2));
        scenario.uses(2);
        assertThat(scenario.core().state().exposure()).isEqualTo(cu(6));
    }

    @Test
    void theReferenceDoesNotShutALostPatchOut() {
        var scenario = reference().introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        scenario.core().neonVmInDoubt(scenario.now());
        scenario.at(7).load(1);
        assertThat(scenario.next().neonVmRequest()).isEmpty();
    }

    @Test
    void aPatchCountsAtOnceOnTheWayDownEvenWhereTheStatusConfirms() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 2)
                .introduced(2)
                .monitorConnects();
        scenario.at(1)
                .load(1)
                .downscalesGuest(1)
                .guestAllows()
                .patches(1)
                .patchLands()
                .uses(1);
    }

    @Test
    void aStatusIsWaitedForAsLongAsConfigured() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 1)
                .introduced(1)
                .monitorConnects();
        scenario.at(1).load(3).requests(3).granted(3).patched(3);
        scenario.at(30.999).load(1);
        assertThat(scenario.next().neonVmRequest()).isEmpty();
        scenario.at(31);
        assertThat(scenario.next().neonVmRequest()).isPresent();
    }

    @Test
    void whereTheStatusConfirmsEachPatchHasARevisionOfItsOwn() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.REFERENCE, ConfirmationMode.STATUS, 0), 1)
                .introduced(1);
        scenario.at(1).load(4).requests(4).granted(2).patched(2).settledAt(2);
        var first = scenario.lastPatch();
        scenario.at(3).requests(4).granted(4).patched(4);
        assertThat(scenario.lastPatch().value()).isGreaterThan(first.value());
    }

    @Test
    void aLostConnectionDiscardsAllThatWasReportedInIt() {
        var scenario = Scenario.of(2).introduced(2).monitorConnects();
        scenario.at(1).load(1).downscalesGuest(1).guestRefuses().guestRequestsUpscale();
        assertThat(scenario.core().detail().monitor().acknowledged()).isNotEqualTo(Revision.ZERO);
        scenario.core().monitorReset(scenario.now());
        assertThat(scenario.core().detail().monitor().acknowledged()).isEqualTo(Revision.ZERO);
        scenario.monitorConnects().downscalesGuest(1).guestDidNotAnswer().offersNothing();
        scenario.core().monitorReset(scenario.now());
        scenario.monitorConnects()
                .downscalesGuest(1)
                .guestAllows()
                .load(2)
                .reportsGuest(2)
                .guestUpscaleFailed();
        scenario.core().monitorReset(scenario.now());
        assertThat(scenario.core().detail().monitor().upscaleFailedAt()).isEmpty();
    }

    @Test
    void aRequestThatBeginsForgetsThatTheLastOfItsKindFailed() {
        var scenario = Scenario.of(2).introduced(2).monitorConnects();
        scenario.at(1).load(1).downscalesGuest(1).guestDidNotAnswer();
        scenario.at(4).downscalesGuest(1);
        assertThat(scenario.core().detail().monitor().downscaleFailedAt()).isEmpty();
        scenario.guestAllows().load(2).reportsGuest(2).guestUpscaleFailed();
        scenario.at(7).reportsGuest(2);
        assertThat(scenario.core().detail().monitor().upscaleFailedAt()).isEmpty();
    }

    @Test
    void anUpscaleRequestCountsFromTheLastSizeThatTheGuestConfirmed() {
        var scenario = Scenario.of(1).introduced(1).monitorConnects();
        scenario.at(1).load(3).requests(3).granted(3).patched(3).load(1).guestRequestsUpscale();
        assertThat(scenario.next().basis().requestedCu()).isEqualTo(2);
    }

    @Test
    void theGuestIsUpscaledByAsManyUnitsAtOnceAsConfigured() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.STRICT, ConfirmationMode.PATCH, 2), 1)
                .introduced(1)
                .monitorConnects();
        scenario.at(1)
                .load(4)
                .requests(4)
                .granted(4)
                .patched(4)
                .reportsGuest(3)
                .guestConfirms()
                .reportsGuest(4);
    }

    @Test
    void aPatchsOwnRevisionStandsForItsGoalAndIsNotDrawnAgain() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(2).patched(2);
        scenario.at(3).requests(4).granted(4).patched(4);
        scenario.at(5).settledAt(4);
        assertThat(scenario.core().takeLatencies())
                .contains(new Latency(Latency.Stage.SCALING, seconds(4), Revision.UP));
        scenario.load(5);
        assertThat(scenario.next()
                        .pluginRequest()
                        .orElseThrow()
                        .targetRevision()
                        .revision()
                        .value())
                .isGreaterThan(scenario.lastPatch().value());
    }

    @Test
    void measurementsThatAreNotTakenAreBounded() {
        var scenario = Scenario.of(1).introduced(1);
        for (int i = 0; i < 1_100; i++) {
            scenario.at(20 + i * 20).load(2 - i % 2).requests(2 - i % 2).granted(2 - i % 2);
        }
        assertThat(scenario.core().takeLatencies()).hasSize(1_000);
    }
}
