package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.cu;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The usual sequences of every VM, from the first frame to the last. An upscale requests a permit from the scheduler,
 * patches the VM and notifies the guest; a downscale requests it from the guest, patches the VM and sends a decrease
 * report to the scheduler. Times are in seconds; a VM's metrics arrive every five.
 */
class ScalingScenariosTest {
    /** A VM of so many units that scheduler and guest have accepted, and whose load asks for just that. */
    private static Scenario settled(int units) {
        var met = Scenario.of(units).introduced(units).monitorConnects();
        return met.load(units).offersNothing().waits(15);
    }

    @Nested
    class UpAndDown {
        @Test
        void aVmGrowsWithItsLoadAndShrinksWhenThatIsOver() {
            var scenario = settled(1);

            scenario.at(5).load(2).requests(2).offersNothing();
            scenario.at(5.1).granted(2).patches(2).offersNothing();
            scenario.at(5.2).patchLands().uses(2).reportsGuest(2).offersNothing();
            scenario.at(5.3).guestConfirms().settledAt(2).offersNothing();

            scenario.at(10).load(1).downscalesGuest(1).offersNothing();
            scenario.at(10.1).guestAllows().patches(1).offersNothing();
            scenario.at(10.2).patchLands().uses(1).offersNothing();
            scenario.at(11).settledAt(1).requests(1).offersNothing();
            scenario.at(11.1).granted(1).offersNothing().waits(14.9);
        }

        @Test
        void aLargeStepGoesUpAtOnceAndDownUnitByUnit() {
            var scenario = settled(1);

            scenario.at(5)
                    .load(4)
                    .requests(4)
                    .granted(4)
                    .patches(4)
                    .patchLands()
                    .reportsGuest(4);
            scenario.at(6).guestConfirms().settledAt(4).offersNothing();

            scenario.at(10).load(1).downscalesGuest(3).guestAllows();
            scenario.patches(3)
                    .downscalesGuest(2)
                    .guestAllows()
                    .downscalesGuest(1)
                    .guestAllows();
            scenario.at(10.2).patchLands().patches(1).patchLands();
            scenario.at(11).settledAt(1).requests(1).granted(1).offersNothing();
        }
    }

    @Nested
    class PeriodicRequest {
        @Test
        void theSchedulerReceivesReportsOfAVmThatDoesNotChange() {
            var scenario = settled(3);

            scenario.at(14.999).offersNothing().waits(0.001);
            scenario.at(15).requests(3).offersNothing();
            scenario.at(16).granted(3).offersNothing().waits(14);
            scenario.at(30).requests(3).granted(3).waits(15);
        }

        @Test
        void aRequestForMoreTakesTheTicksPlace() {
            var scenario = settled(1);

            scenario.at(12)
                    .load(2)
                    .requests(2)
                    .granted(2)
                    .patched(2)
                    .reportsGuest(2)
                    .guestConfirms()
                    .settledAt(2);
            scenario.at(15).offersNothing();
            scenario.at(27).requests(2);
        }
    }

    @Nested
    class PartialThenFullApproval {
        @Test
        void theVmTakesWhatThereIsAndRequestsTheRest() {
            var scenario = settled(1);

            scenario.at(5).load(4).requests(4).granted(2);
            scenario.patches(2).patchLands().reportsGuest(2).guestConfirms().settledAt(2);
            scenario.offersNothing().waits(2);
            scenario.at(6.999).offersNothing();
            scenario.at(7).requests(4).granted(2).offersNothing().waits(2);
            scenario.at(9).requests(4).granted(4);
            scenario.patches(4).patchLands().reportsGuest(4).guestConfirms().settledAt(4);
            scenario.offersNothing().waits(15);
        }

        @Test
        void nothingAtAllIsAnAnswerTo() {
            var scenario = settled(1);

            scenario.at(5).load(4).requests(4).granted(1).offersNothing().waits(2);
            scenario.at(7).requests(4).granted(4).patches(4);
        }
    }

    @Nested
    class DeniedDownscale {
        @Test
        @DisplayName("F17: a guest that denies a downscale gets the next request after the cooldown")
        void theGuestIsRequestedToDownscaleAgainAfterItsCooldown() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1).guestRefuses();
            scenario.goals(2).offersNothing().waits(5);
            scenario.at(9.999).load(1).offersNothing();
            scenario.at(10).downscalesGuest(1).guestRefuses().offersNothing().waits(5);
            scenario.at(15)
                    .downscalesGuest(1)
                    .guestAllows()
                    .patches(1)
                    .patchLands()
                    .settledAt(1);
            scenario.requests(1).granted(1).offersNothing();
        }

        @Test
        void whatItRefusedIsAllThatItKeeps() {
            var scenario = settled(4);

            scenario.at(5)
                    .load(1)
                    .downscalesGuest(3)
                    .guestAllows()
                    .downscalesGuest(2)
                    .guestRefuses();
            scenario.goals(3).patches(3).patchLands().settledAt(3).requests(3).granted(3);
            scenario.offersNothing().waits(5);
            scenario.at(10).downscalesGuest(2);
        }

        @Test
        void aLoadThatRisesInBetweenWaitsForNoCooldown() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1).guestRefuses();
            scenario.at(6).load(3).requests(3).granted(3).patches(3);
        }
    }

    @Nested
    class RequestedUpscale {
        @Test
        void anUpscaleRequestRaisesTheGoalByAUnitUntilItIsOver() {
            var scenario = settled(1);

            scenario.at(3)
                    .guestRequestsUpscale()
                    .goals(2)
                    .requests(2)
                    .granted(2)
                    .patches(2)
                    .patchLands();
            scenario.reportsGuest(2)
                    .guestConfirms()
                    .settledAt(2)
                    .offersNothing()
                    .waits(10);
            scenario.at(12.999).load(1).offersNothing();
            scenario.at(13).goals(1).downscalesGuest(1);
        }

        @Test
        void aSecondUpscaleRequestCountsFromWhatTheGuestHasByThen() {
            var scenario = settled(1);

            scenario.at(3)
                    .guestRequestsUpscale()
                    .requests(2)
                    .granted(2)
                    .patches(2)
                    .patchLands();
            scenario.reportsGuest(2).guestConfirms().settledAt(2);
            scenario.at(4)
                    .guestRequestsUpscale()
                    .goals(3)
                    .requests(3)
                    .granted(3)
                    .patches(3)
                    .patchLands();
            scenario.reportsGuest(3)
                    .guestConfirms()
                    .settledAt(3)
                    .offersNothing()
                    .waits(10);
        }

        @Test
        void anUpscaleRequestAfterARefusalWinsOverIt() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1).guestRefuses().guestRequestsUpscale();
            scenario.goals(3).requests(3).granted(3).patches(3).patchLands();
            scenario.reportsGuest(3);
        }
    }

    /** The load falls while an upscale is under way: requests that were sent end first, and then the VM shrinks. */
    @Nested
    class PivotBack {
        @Test
        void whileAPermitIsRequested() {
            var scenario = settled(1);

            scenario.at(5).load(2).requests(2);
            scenario.at(5.1).load(1).offersNothing();
            scenario.at(5.2).granted(2);
            assertThat(scenario.next().neonVmRequest()).isEmpty();
            scenario.requests(1).granted(1).offersNothing().uses(1);
        }

        @Test
        void whileTheVmIsPatched() {
            var scenario = settled(1);

            scenario.at(5).load(2).requests(2).granted(2).patches(2);
            scenario.at(5.1).load(1).offersNothing();
            scenario.at(5.2).patchLands();
            assertThat(scenario.next().monitorUpscale())
                    .as("the guest need not be notified of it")
                    .isEmpty();
            scenario.patches(1).patchLands();
            assertThat(scenario.next().pluginRequest())
                    .as("the VM may still come to have 2")
                    .isEmpty();
            scenario.at(6).settledAt(1).requests(1).granted(1).offersNothing().uses(1);
        }

        /** The guest may have accepted more already, so the VM shrinks only with its consent. */
        @Test
        void whileTheGuestUpscales() {
            var scenario = settled(1);

            scenario.at(5)
                    .load(2)
                    .requests(2)
                    .granted(2)
                    .patches(2)
                    .patchLands()
                    .reportsGuest(2);
            scenario.at(5.1).load(1).offersNothing().uses(2);
            scenario.at(5.2).guestConfirms().downscalesGuest(1).offersNothing();
            scenario.at(5.3).guestAllows().patches(1).patchLands().offersNothing();
            scenario.at(6).settledAt(1).requests(1).granted(1).offersNothing().uses(1);
        }

        @Test
        void andUpAgainWhileTheGuestDownscales() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1);
            scenario.at(5.1).load(2).offersNothing();
            scenario.at(5.2)
                    .guestAllows()
                    .reportsGuest(2)
                    .guestConfirms()
                    .offersNothing()
                    .uses(2);
        }
    }

    @Nested
    class BoundsChange {
        @Test
        void aHigherMinimumIsGrownTo() {
            var scenario = settled(1);

            scenario.at(5)
                    .bounds(3, 16)
                    .goals(3)
                    .requests(3)
                    .granted(3)
                    .patches(3)
                    .patchLands();
            scenario.reportsGuest(3).guestConfirms().settledAt(3).offersNothing();
        }

        @Test
        @DisplayName("F21: a lowered maximum is reached step by step, as far as the guest agrees")
        void aLowerMaximumIsShrunkToAsFarAsTheGuestLetsIt() {
            var scenario = settled(3);

            scenario.at(5)
                    .bounds(1, 1)
                    .goals(1)
                    .downscalesGuest(2)
                    .guestAllows()
                    .downscalesGuest(1)
                    .guestRefuses();
            scenario.goals(2)
                    .patches(2)
                    .patchLands()
                    .settledAt(2)
                    .requests(2)
                    .granted(2)
                    .waits(5);
            scenario.at(10).goals(1).downscalesGuest(1).guestAllows().patches(1).patchLands();
            scenario.at(11).settledAt(1).requests(1);
        }

        @Test
        void aLowerMaximumStopsARequestForMoreFromBeingRepeated() {
            var scenario = settled(1);

            scenario.at(5).load(4).requests(4).granted(2);
            scenario.bounds(1, 2)
                    .goals(2)
                    .patches(2)
                    .patchLands()
                    .reportsGuest(2)
                    .guestConfirms()
                    .settledAt(2);
            scenario.at(7).offersNothing();
        }

        @Test
        void aHigherMaximumLetsALoadThroughThatWasThereBefore() {
            var scenario = settled(2);

            scenario.at(5).bounds(1, 2).load(4).offersNothing();
            scenario.at(6).bounds(1, 3).goals(3).requests(3);
        }
    }

    /** A failed request is sent again after a while, no sooner, and delays nothing else. */
    @Nested
    class FailedRequest {
        @Test
        void aPermitRequestToTheScheduler() {
            var scenario = settled(1);

            scenario.at(5).load(2).requests(2);
            scenario.at(5.5).requestFails().offersNothing().waits(3);
            scenario.at(8.499).offersNothing();
            scenario.at(8.5).requests(2).granted(2).patches(2);
        }

        @Test
        void aPatch() {
            var scenario = settled(1);

            scenario.at(5).load(2).requests(2).granted(2).patches(2);
            scenario.at(5.5).patchFails().uses(1).offersNothing().waits(5);
            scenario.at(10.499).offersNothing();
            scenario.at(10.5).patches(2).patchLands().reportsGuest(2);
        }

        @Test
        void aWordToTheGuestThatItHasMore() {
            var scenario = settled(1);

            scenario.at(5)
                    .load(2)
                    .requests(2)
                    .granted(2)
                    .patches(2)
                    .patchLands()
                    .settledAt(2)
                    .reportsGuest(2);
            scenario.at(5.5).guestUpscaleFailed().offersNothing().waits(3);
            scenario.at(8.499).offersNothing();
            scenario.at(8.5).reportsGuest(2).guestConfirms().offersNothing();
        }

        @Test
        void aDownscaleRequestToTheGuest() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1);
            scenario.at(5.5).guestDidNotAnswer().offersNothing().waits(3);
            scenario.at(8.499).offersNothing();
            scenario.at(8.5).downscalesGuest(1).guestAllows().patches(1);
        }

        @Test
        void aPatchDownKeepsTheGuestAtWhatItAgreedTo() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1).guestAllows().patches(1);
            scenario.at(5.5).patchFails().uses(2).offersNothing().waits(5);
            scenario.at(7).load(2).reportsGuest(2).guestConfirms().offersNothing();
        }
    }

    @Nested
    class MetricsDuringADownscale {
        @Test
        void theSameLoadChangesNothing() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1);
            scenario.load(1).offersNothing();
            scenario.guestAllows().patches(1);
            scenario.load(1).offersNothing();
            scenario.patchLands().load(1).offersNothing();
            scenario.at(6).settledAt(1).requests(1);
            scenario.load(1).offersNothing();
            scenario.granted(1).load(1).offersNothing().uses(1);
        }

        @Test
        void aHigherLoadTurnsItBackWhileTheVmIsPatched() {
            var scenario = settled(2);

            scenario.at(5).load(1).downscalesGuest(1).guestAllows().patches(1);
            scenario.at(5.1).load(2);
            assertThat(scenario.next().monitorUpscale())
                    .as("the patch takes it")
                    .isEmpty();
            scenario.patchLands().uses(1);
            assertThat(scenario.next().neonVmRequest().orElseThrow().target())
                    .as("2 are still permitted")
                    .isEqualTo(cu(2));
            scenario.patches(2)
                    .patchLands()
                    .reportsGuest(2)
                    .guestConfirms()
                    .settledAt(2)
                    .offersNothing()
                    .uses(2);
        }

        @Test
        void missingOnesStopItWhereItIs() {
            var scenario = settled(4);

            scenario.at(5).load(1).downscalesGuest(3);
            scenario.at(5.1).core().systemMetricsAbsent(scenario.now());
            scenario.guestAllows()
                    .goals(4)
                    .reportsGuest(4)
                    .guestConfirms()
                    .offersNothing()
                    .uses(4);
        }
    }
}
