package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.cu;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the guest may have accepted: nothing of it is taken without its consent, and the guest is corrected. */
class GuestSizeTest {
    private static Scenario connected(int units) {
        return Scenario.of(units).introduced(units).monitorConnects();
    }

    /** A guest that accepted 1 and was sent a notification of 3; the VM has 3, and 1 is desired. */
    private static Scenario notifiedOfThree() {
        return connected(1)
                .at(1)
                .load(3)
                .requests(3)
                .granted(3)
                .patched(3)
                .settledAt(3)
                .reportsGuest(3)
                .load(1);
    }

    @Test
    void takesNothingWhileANotificationIsUnderWay() {
        assertThat(notifiedOfThree().next().neonVmRequest()).isEmpty();
    }

    @Test
    void requestsADownscaleFromTheSizeOfALostNotification() {
        var scenario = notifiedOfThree().guestUpscaleFailed();
        assertThat(scenario.next().neonVmRequest()).isEmpty();
        assertThat(scenario.next().monitorDownscale().orElseThrow().current()).isEqualTo(cu(3));
        scenario.downscalesGuest(2).guestAllows().patched(2);
        scenario.downscalesGuest(1).guestAllows().patched(1);
    }

    @Test
    void deniesInThatStateKeepWhatMayHaveBeenAccepted() {
        var scenario = notifiedOfThree().guestUpscaleFailed().downscalesGuest(2).guestRefuses();
        assertThat(scenario.next().neonVmRequest()).isEmpty();
        scenario.goals(3).at(6).downscalesGuest(2);
    }

    @Test
    void repeatsALostNotificationWhileMoreIsDesired() {
        var scenario = notifiedOfThree().guestUpscaleFailed().load(2);
        scenario.at(4).reportsGuest(3).guestConfirms().downscalesGuest(2);
    }

    @Test
    void aGuestThatNeverConfirmsStillAgreesToLess() {
        var scenario = notifiedOfThree().guestUpscaleFailed().load(3);
        scenario.at(4).reportsGuest(3).guestUpscaleFailed().load(2);
        scenario.at(5).downscalesGuest(2).guestAllows().patches(2);
    }

    @Test
    void anEndedSessionForgetsALostNotification() {
        var scenario = notifiedOfThree().guestUpscaleFailed();
        scenario.core().monitorReset(scenario.now());
        scenario.monitorConnects();
        assertThat(scenario.core().detail().monitor().most()).contains(cu(3));
        scenario.downscalesGuest(2).guestAllows();
        scenario.core().monitorReset(scenario.now());
        assertThat(scenario.core().detail().monitor().most()).isEmpty();
    }

    @Test
    void theReferenceTakesWhatWasNotConfirmed() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 1)
                .introduced(1)
                .monitorConnects();
        scenario.at(1).load(3).requests(3).granted(3).patched(3).settledAt(3).reportsGuest(3);
        scenario.load(1).patches(1).guestUpscaleFailed();
        assertThat(scenario.next().monitorDownscale()).isEmpty();
    }

    /** The guest agreed to 1, and the VM of 2 is being patched to it when 2 is desired again. */
    private static Scenario beingTaken() {
        return connected(2)
                .at(1)
                .load(1)
                .downscalesGuest(1)
                .guestAllows()
                .patches(1)
                .load(2);
    }

    @Test
    void notifiesOfNothingThatAPatchTakes() {
        var scenario = beingTaken();
        assertThat(scenario.next().monitorUpscale()).isEmpty();
        scenario.patchFails().reportsGuest(2);
    }

    @Test
    void notifiesOfNothingThatALostPatchMayTake() {
        var scenario = beingTaken();
        scenario.core().neonVmInDoubt(scenario.now());
        assertThat(scenario.next().monitorUpscale()).isEmpty();
        scenario.at(6).patches(2);
        assertThat(scenario.next().monitorUpscale()).isEmpty();
        scenario.patchLands().reportsGuest(2);
    }

    @Test
    void correctsAGuestThatAcceptedMoreThanItsVmHas() {
        var scenario = beingTaken();
        scenario.core().monitorReset(scenario.now());
        scenario.monitorConnects();
        assertThat(scenario.next().monitorUpscale()).isEmpty();
        scenario.patchLands().downscalesGuest(1).guestAllows();
        assertThat(scenario.core().state().approved()).contains(cu(1));
        assertThat(scenario.next().monitorDownscale()).isEmpty();
    }

    @Test
    void aGuestThatDeniesItsCorrectionKeepsTheGoalUp() {
        var scenario = beingTaken().load(1);
        scenario.core().monitorReset(scenario.now());
        scenario.monitorConnects()
                .patchLands()
                .downscalesGuest(1)
                .guestRefuses()
                .goals(2);
    }

    @Test
    void notifiesAgainAfterADownscaleRequestWithoutReply() {
        var scenario = connected(2).at(1).load(1).downscalesGuest(1).guestDidNotAnswer();
        scenario.at(5).load(2);
        assertThat(scenario.next().monitorUpscale().orElseThrow().current()).isEqualTo(cu(1));
        scenario.reportsGuest(2).guestConfirms().offersNothing();
    }

    @Test
    void aSteppedNotificationDoesNotFallBelowWhatMayHaveBeenAccepted() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.STRICT, ConfirmationMode.PATCH, 1), 1)
                .introduced(1)
                .monitorConnects();
        scenario.at(1).load(4).requests(4).granted(4).patched(4).reportsGuest(2).guestUpscaleFailed();
        scenario.at(4).reportsGuest(2).guestConfirms().reportsGuest(3);
    }

    /** The monitor's session is older than the core, so that any size may have been accepted in it. */
    private static Scenario found() {
        return Scenario.of(4).introduced(4).monitorFound().at(1).load(3);
    }

    @Test
    void notifiesAGuestOfAnOlderSessionOfTheVmsSizeBeforeItRequestsADownscale() {
        var scenario = found();
        assertThat(scenario.next().monitorDownscale()).isEmpty();
        scenario.reportsGuest(4);
        assertThat(scenario.next().monitorDownscale()).isEmpty();
        scenario.guestConfirms().downscalesGuest(3).guestAllows().patches(3);
    }

    @Test
    void takesNothingBeforeAGuestOfAnOlderSessionReplies() {
        var scenario =
                found().load(5).requests(5).granted(5).patched(5).settledAt(5).load(4);
        assertThat(scenario.next().neonVmRequest()).isEmpty();
        scenario.reportsGuest(5);
        assertThat(scenario.next().neonVmRequest()).isEmpty();
        scenario.guestUpscaleFailed();
        assertThat(scenario.next().neonVmRequest()).isEmpty();
    }

    /** One that confirms nothing must not keep its VM from shrinking for ever. */
    @Test
    void aGuestOfAnOlderSessionThatNeverConfirmsStillAgreesToLess() {
        var scenario = found().reportsGuest(4).guestUpscaleFailed();
        scenario.downscalesGuest(3).guestDidNotAnswer();
        assertThat(scenario.next().neonVmRequest()).isEmpty();
        scenario.at(4).reportsGuest(4).guestUpscaleFailed();
        scenario.downscalesGuest(3).guestAllows().patches(3);
    }

    @Test
    void aGuestOfAnOlderSessionIsNoObstacleToGrowth() {
        var scenario = found().reportsGuest(4).guestUpscaleFailed().load(6);
        scenario.requests(6).granted(6).patched(6).at(4).reportsGuest(6);
    }

    @Test
    void anUpscaleRequestInAnOlderSessionCountsFromTheSizeOfTheVm() {
        assertThat(found().guestRequestsUpscale().next().basis().requestedCu()).isEqualTo(5);
    }

    @Test
    void theReferenceTakesAnOlderSessionForANewOne() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 4)
                .introduced(4)
                .monitorFound();
        scenario.at(1).load(3);
        assertThat(scenario.next().monitorUpscale()).isEmpty();
        scenario.downscalesGuest(3);
    }
}
