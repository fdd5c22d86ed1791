package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.cu;
import static io.sluice.agent.core.scaling.Scenario.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The additions of strict permits: no decrease is reported too early, and no growth starts too late. */
class StrictPermitTest {
    @Test
    void namesTheInstantByWhichGrowthMustHaveLeft() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(3).requests(3);
        scenario.at(1.5).granted(3);
        assertThat(scenario.next().neonVmRequest().orElseThrow().notAfter()).contains(Scenario.START.plusSeconds(11));
    }

    @Test
    void requestsAgainOnceThePermitHasLapsed() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(3).requests(3).granted(3).patches(3);
        scenario.at(7).core().neonVmFailed(scenario.now());

        scenario.offersNothing().waits(4);
        scenario.at(11);
        assertThat(scenario.core().state().effectivePermit(scenario.now())).contains(cu(1));
        assertThat(scenario.next().pluginRequest().orElseThrow().lastPermit()).contains(cu(1));
        scenario.requests(3).granted(3);
        scenario.at(12).patches(3);
    }

    @Test
    void refusesToStartGrowthOnAPermitThatLapsedSinceTheOffer() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(3).requests(3).granted(3);
        var offer = scenario.at(10.999).next().neonVmRequest().orElseThrow();

        boolean started = scenario.at(11)
                .core()
                .neonVmStarting(
                        scenario.now(), offer.target(), offer.targetRevision().revision());

        assertThat(started).isFalse();
        assertThat(scenario.core().state().patching()).isEmpty();
        scenario.requests(3);
    }

    @Test
    void takesTheSmallerOfBothValidities() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(3).requests(3);
        var revision = new ActionRevision(new Revision(1, 1), scenario.now());
        scenario.core().schedulerSuccess(scenario.now(), cu(3), Optional.of(Duration.ofSeconds(4)), revision);
        assertThat(scenario.core().state().permitLapsesAt()).contains(Scenario.START.plusSeconds(5));

        scenario.at(5).requests(3);
        scenario.core().schedulerSuccess(scenario.now(), cu(3), Optional.of(Duration.ofSeconds(60)), revision);
        assertThat(scenario.core().state().permitLapsesAt()).contains(Scenario.START.plusSeconds(15));
    }

    @Test
    void takesARequestForLessAsDoneWhenItIsSent() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4);
        scenario.load(2).requests(2).patches(2);
        scenario.at(1.1).core().schedulerFailed(scenario.now());
        scenario.core().neonVmSuccess(scenario.now());

        scenario.load(4).settledAt(2);
        assertThat(scenario.next().neonVmRequest())
                .as("4 are no longer permitted")
                .isEmpty();
        scenario.at(4.1).requests(4).granted(4).patches(4);
    }

    @Test
    void repeatsANoticeThatWasLost() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4);
        scenario.load(1).requests(1);
        scenario.at(2).core().schedulerFailed(scenario.now());

        scenario.offersNothing().waits(3);
        scenario.at(5).requests(1).granted(1);
        scenario.offersNothing().waits(15);
    }

    @Test
    void keepsReservedWhatTheGuestCouldNotGiveBack() {
        var scenario = Scenario.of(2).introduced(2);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(1).downscalesGuest(1).guestAllows().patched(1);
        var cpuAlone = new Resources(250, cu(2).memoryBytes());

        scenario.at(2).shows(cpuAlone, Revision.ZERO);
        scenario.requests(cpuAlone)
                .core()
                .schedulerSuccess(
                        scenario.now(), cpuAlone, Optional.empty(), new ActionRevision(Revision.ZERO, scenario.now()));
        scenario.offersNothing();

        scenario.at(9).settledAt(1).requests(1);
    }

    @Test
    void keepsReservedWhatALostPatchMayStillTake() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        scenario.at(3).core().neonVmInDoubt(scenario.now());
        scenario.load(1);

        scenario.offersNothing();
        assertThat(scenario.core().state().exposure()).isEqualTo(cu(4));
        assertThat(scenario.core().state().inDoubt()).isTrue();
    }

    @Test
    void shutsALostPatchOutByAnotherEvenToTheSizeItHas() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        var lost = scenario.lastPatch();
        scenario.at(3).core().neonVmInDoubt(scenario.now());
        scenario.load(1).waits(5);

        scenario.at(8).patches(1);
        assertThat(scenario.lastPatch().value()).isGreaterThan(lost.value());
        scenario.core().neonVmSuccess(scenario.now());
        assertThat(scenario.core().state().inDoubt()).isFalse();
        assertThat(scenario.core().state().exposure())
                .as("it may have been applied before")
                .isEqualTo(cu(4));

        scenario.at(9).settledAt(1);
        assertThat(scenario.core().state().exposure()).isEqualTo(cu(1));
        scenario.requests(1);
    }

    @Test
    void staysInDoubtWhenTheShuttingPatchIsRefused() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        scenario.at(2).core().neonVmInDoubt(scenario.now());
        scenario.at(7).load(1).patches(1).core().neonVmFailed(scenario.now());

        assertThat(scenario.core().state().inDoubt()).isTrue();
        scenario.at(12).patches(1);
    }

    @Test
    void takesTheSizeThatAFailedPatchFoundAndDoesNotRepeatItAtOnce() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(4).patches(4);
        scenario.at(2).core().neonVmInDoubt(scenario.now());
        scenario.at(7).patches(4).core().neonVmConflict(scenario.now(), cu(4));

        assertThat(scenario.core().state().using()).isEqualTo(cu(4));
        scenario.offersNothing().waits(5);
        scenario.at(12).patched(4);
        assertThat(scenario.core().state().inDoubt()).isFalse();
    }

    @Test
    void givesEachPatchItsOwnRevisionAndOffersItUnchangedUntilItStarts() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(2);
        var first = scenario.next().neonVmRequest();
        assertThat(scenario.next().neonVmRequest()).isEqualTo(first);
        scenario.patched(2);
        var second = scenario.lastPatch();
        scenario.at(3).requests(4).granted(4).patched(4);

        assertThat(scenario.lastPatch().value()).isGreaterThan(second.value());
        assertThat(scenario.lastPatch().flags()).isEqualTo(second.flags());
    }

    @Test
    void doesNotUseARevisionThatTheStatusAlreadyShows() {
        var scenario = Scenario.of(1).introduced(1).shows(cu(1), new Revision(90, 0));
        scenario.at(1).load(2).requests(2).granted(2).patched(2);
        assertThat(scenario.lastPatch().value()).isGreaterThan(90);
    }

    @Test
    void confirmsAPatchThatWasShownBeforeItsAcknowledgement() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(2).requests(2).granted(2).patches(2).settledAt(2);
        scenario.core().neonVmSuccess(scenario.now());
        scenario.core().monitorActive(scenario.now());

        scenario.at(2).load(1).downscalesGuest(1).guestAllows().patched(1).settledAt(1);
        assertThat(scenario.core().state().exposure()).isEqualTo(cu(1));
        scenario.requests(1);
        assertThat(scenario.next().waitFor()).isEmpty();
    }

    @Test
    void wakesWhenAPermitLapses() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(3).requests(3).granted(3);
        assertThat(scenario.next().waitFor()).contains(seconds(10));
    }
}
