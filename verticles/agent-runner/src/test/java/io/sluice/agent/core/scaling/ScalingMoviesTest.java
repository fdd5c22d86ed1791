package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Movie.cu;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The flows that every VM goes through sooner or later, from the first frame to the last. An upscale asks the
 * scheduler, patches the VM and tells the guest; a downscale asks the guest, patches the VM and tells the scheduler.
 * Times are in seconds; a VM's metrics come every five.
 */
class ScalingMoviesTest {
    /** A VM of so many units whose scheduler and guest know of it, and whose load asks for just that. */
    private static Movie settled(int units) {
        var met = Movie.of(units).introduced(units).monitorConnects();
        return met.load(units).offersNothing().waits(15);
    }

    @Nested
    class UpAndDown {
        @Test
        void aVmGrowsWithItsLoadAndShrinksWhenThatIsOver() {
            var movie = settled(1);

            movie.at(5).load(2).asks(2).offersNothing();
            movie.at(5.1).granted(2).patches(2).offersNothing();
            movie.at(5.2).patchLands().uses(2).tellsGuest(2).offersNothing();
            movie.at(5.3).guestKnows().settledAt(2).offersNothing();

            movie.at(10).load(1).asksGuest(1).offersNothing();
            movie.at(10.1).guestAllows().patches(1).offersNothing();
            movie.at(10.2).patchLands().uses(1).offersNothing();
            movie.at(11).settledAt(1).asks(1).offersNothing();
            movie.at(11.1).granted(1).offersNothing().waits(14.9);
        }

        @Test
        void aLargeStepGoesUpAtOnceAndDownUnitByUnit() {
            var movie = settled(1);

            movie.at(5).load(4).asks(4).granted(4).patches(4).patchLands().tellsGuest(4);
            movie.at(6).guestKnows().settledAt(4).offersNothing();

            movie.at(10).load(1).asksGuest(3).guestAllows();
            movie.patches(3).asksGuest(2).guestAllows().asksGuest(1).guestAllows();
            movie.at(10.2).patchLands().patches(1).patchLands();
            movie.at(11).settledAt(1).asks(1).granted(1).offersNothing();
        }
    }

    @Nested
    class PeriodicAsk {
        @Test
        void theSchedulerHearsOfAVmThatDoesNotChange() {
            var movie = settled(3);

            movie.at(14.999).offersNothing().waits(0.001);
            movie.at(15).asks(3).offersNothing();
            movie.at(16).granted(3).offersNothing().waits(14);
            movie.at(30).asks(3).granted(3).waits(15);
        }

        @Test
        void aQuestionForMoreTakesTheTicksPlace() {
            var movie = settled(1);

            movie.at(12)
                    .load(2)
                    .asks(2)
                    .granted(2)
                    .patched(2)
                    .tellsGuest(2)
                    .guestKnows()
                    .settledAt(2);
            movie.at(15).offersNothing();
            movie.at(27).asks(2);
        }
    }

    @Nested
    class PartialThenFullApproval {
        @Test
        void theVmTakesWhatThereIsAndAsksForTheRest() {
            var movie = settled(1);

            movie.at(5).load(4).asks(4).granted(2);
            movie.patches(2).patchLands().tellsGuest(2).guestKnows().settledAt(2);
            movie.offersNothing().waits(2);
            movie.at(6.999).offersNothing();
            movie.at(7).asks(4).granted(2).offersNothing().waits(2);
            movie.at(9).asks(4).granted(4);
            movie.patches(4).patchLands().tellsGuest(4).guestKnows().settledAt(4);
            movie.offersNothing().waits(15);
        }

        @Test
        void nothingAtAllIsAnAnswerTo() {
            var movie = settled(1);

            movie.at(5).load(4).asks(4).granted(1).offersNothing().waits(2);
            movie.at(7).asks(4).granted(4).patches(4);
        }
    }

    @Nested
    class DeniedDownscale {
        @Test
        @DisplayName("F17: a guest that refuses to shrink is asked again at the cool-down's pace")
        void theGuestIsAskedAgainAfterItsCooldown() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1).guestRefuses();
            movie.wants(2).offersNothing().waits(5);
            movie.at(9.999).load(1).offersNothing();
            movie.at(10).asksGuest(1).guestRefuses().offersNothing().waits(5);
            movie.at(15).asksGuest(1).guestAllows().patches(1).patchLands().settledAt(1);
            movie.asks(1).granted(1).offersNothing();
        }

        @Test
        void whatItRefusedIsAllThatItKeeps() {
            var movie = settled(4);

            movie.at(5).load(1).asksGuest(3).guestAllows().asksGuest(2).guestRefuses();
            movie.wants(3).patches(3).patchLands().settledAt(3).asks(3).granted(3);
            movie.offersNothing().waits(5);
            movie.at(10).asksGuest(2);
        }

        @Test
        void aLoadThatRisesInBetweenNeedsNoPatience() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1).guestRefuses();
            movie.at(6).load(3).asks(3).granted(3).patches(3);
        }
    }

    @Nested
    class RequestedUpscale {
        @Test
        void aCryRaisesTheGoalByAUnitUntilItIsOver() {
            var movie = settled(1);

            movie.at(3).guestCries().wants(2).asks(2).granted(2).patches(2).patchLands();
            movie.tellsGuest(2).guestKnows().settledAt(2).offersNothing().waits(10);
            movie.at(12.999).load(1).offersNothing();
            movie.at(13).wants(1).asksGuest(1);
        }

        @Test
        void aSecondCryCountsFromWhatTheGuestHasByThen() {
            var movie = settled(1);

            movie.at(3).guestCries().asks(2).granted(2).patches(2).patchLands();
            movie.tellsGuest(2).guestKnows().settledAt(2);
            movie.at(4).guestCries().wants(3).asks(3).granted(3).patches(3).patchLands();
            movie.tellsGuest(3).guestKnows().settledAt(3).offersNothing().waits(10);
        }

        @Test
        void aCryAfterARefusalWinsOverIt() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1).guestRefuses().guestCries();
            movie.wants(3).asks(3).granted(3).patches(3).patchLands();
            movie.tellsGuest(3);
        }
    }

    /** The load falls while the way up is under way: what was begun ends, and then it goes back down. */
    @Nested
    class PivotBack {
        @Test
        void whileTheSchedulerIsAsked() {
            var movie = settled(1);

            movie.at(5).load(2).asks(2);
            movie.at(5.1).load(1).offersNothing();
            movie.at(5.2).granted(2);
            assertThat(movie.next().neonVmRequest()).isEmpty();
            movie.asks(1).granted(1).offersNothing().uses(1);
        }

        @Test
        void whileTheVmIsPatched() {
            var movie = settled(1);

            movie.at(5).load(2).asks(2).granted(2).patches(2);
            movie.at(5.1).load(1).offersNothing();
            movie.at(5.2).patchLands();
            assertThat(movie.next().monitorUpscale())
                    .as("the guest need not hear of it")
                    .isEmpty();
            movie.patches(1).patchLands();
            assertThat(movie.next().pluginRequest())
                    .as("the VM may still come to have 2")
                    .isEmpty();
            movie.at(6).settledAt(1).asks(1).granted(1).offersNothing().uses(1);
        }

        /** The guest has not agreed to more yet, so it need not be asked before the VM goes back. */
        @Test
        void whileTheGuestIsTold() {
            var movie = settled(1);

            movie.at(5).load(2).asks(2).granted(2).patches(2).patchLands().tellsGuest(2);
            movie.at(5.1).load(1).patches(1).patchLands().uses(1).offersNothing();
            movie.at(5.2).guestKnows().asksGuest(1).offersNothing();
            movie.at(5.3).guestAllows().offersNothing();
            movie.at(6).settledAt(1).asks(1).granted(1).offersNothing().uses(1);
        }

        @Test
        void andUpAgainWhileTheGuestIsAsked() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1);
            movie.at(5.1).load(2).offersNothing();
            movie.at(5.2)
                    .guestAllows()
                    .tellsGuest(2)
                    .guestKnows()
                    .offersNothing()
                    .uses(2);
        }
    }

    @Nested
    class BoundsChange {
        @Test
        void aHigherMinimumIsGrownTo() {
            var movie = settled(1);

            movie.at(5).bounds(3, 16).wants(3).asks(3).granted(3).patches(3).patchLands();
            movie.tellsGuest(3).guestKnows().settledAt(3).offersNothing();
        }

        @Test
        @DisplayName("F21: a lowered maximum is reached step by step, as far as the guest agrees")
        void aLowerMaximumIsShrunkToAsFarAsTheGuestLetsIt() {
            var movie = settled(3);

            movie.at(5)
                    .bounds(1, 1)
                    .wants(1)
                    .asksGuest(2)
                    .guestAllows()
                    .asksGuest(1)
                    .guestRefuses();
            movie.wants(2)
                    .patches(2)
                    .patchLands()
                    .settledAt(2)
                    .asks(2)
                    .granted(2)
                    .waits(5);
            movie.at(10).wants(1).asksGuest(1).guestAllows().patches(1).patchLands();
            movie.at(11).settledAt(1).asks(1);
        }

        @Test
        void aLowerMaximumStopsAQuestionForMoreFromBeingRepeated() {
            var movie = settled(1);

            movie.at(5).load(4).asks(4).granted(2);
            movie.bounds(1, 2)
                    .wants(2)
                    .patches(2)
                    .patchLands()
                    .tellsGuest(2)
                    .guestKnows()
                    .settledAt(2);
            movie.at(7).offersNothing();
        }

        @Test
        void aHigherMaximumLetsALoadThroughThatWasThereBefore() {
            var movie = settled(2);

            movie.at(5).bounds(1, 2).load(4).offersNothing();
            movie.at(6).bounds(1, 3).wants(3).asks(3);
        }
    }

    /** A failed request is made again after a while, no sooner, and holds nothing else up. */
    @Nested
    class FailedRequest {
        @Test
        void aQuestionToTheScheduler() {
            var movie = settled(1);

            movie.at(5).load(2).asks(2);
            movie.at(5.5).questionFails().offersNothing().waits(3);
            movie.at(8.499).offersNothing();
            movie.at(8.5).asks(2).granted(2).patches(2);
        }

        @Test
        void aPatch() {
            var movie = settled(1);

            movie.at(5).load(2).asks(2).granted(2).patches(2);
            movie.at(5.5).patchFails().uses(1).offersNothing().waits(5);
            movie.at(10.499).offersNothing();
            movie.at(10.5).patches(2).patchLands().tellsGuest(2);
        }

        @Test
        void aWordToTheGuestThatItHasMore() {
            var movie = settled(1);

            movie.at(5)
                    .load(2)
                    .asks(2)
                    .granted(2)
                    .patches(2)
                    .patchLands()
                    .settledAt(2)
                    .tellsGuest(2);
            movie.at(5.5).guestDidNotHear().offersNothing().waits(3);
            movie.at(8.499).offersNothing();
            movie.at(8.5).tellsGuest(2).guestKnows().offersNothing();
        }

        @Test
        void aQuestionToTheGuestWhetherItCanDoWithLess() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1);
            movie.at(5.5).guestDidNotAnswer().offersNothing().waits(3);
            movie.at(8.499).offersNothing();
            movie.at(8.5).asksGuest(1).guestAllows().patches(1);
        }

        @Test
        void aPatchDownKeepsTheGuestAtWhatItAgreedTo() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1).guestAllows().patches(1);
            movie.at(5.5).patchFails().uses(2).offersNothing().waits(5);
            movie.at(7).load(2).tellsGuest(2).guestKnows().offersNothing();
        }
    }

    @Nested
    class MetricsDuringADownscale {
        @Test
        void theSameLoadChangesNothing() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1);
            movie.load(1).offersNothing();
            movie.guestAllows().patches(1);
            movie.load(1).offersNothing();
            movie.patchLands().load(1).offersNothing();
            movie.at(6).settledAt(1).asks(1);
            movie.load(1).offersNothing();
            movie.granted(1).load(1).offersNothing().uses(1);
        }

        @Test
        void aHigherLoadTurnsItBackWhileTheVmIsPatched() {
            var movie = settled(2);

            movie.at(5).load(1).asksGuest(1).guestAllows().patches(1);
            movie.at(5.1).load(2);
            assertThat(movie.next().monitorUpscale().orElseThrow().target())
                    .as("the VM still has it")
                    .isEqualTo(cu(2));
            movie.tellsGuest(2).patchLands().uses(1);
            assertThat(movie.next().neonVmRequest().orElseThrow().target())
                    .as("2 are still permitted")
                    .isEqualTo(cu(2));
            movie.patches(2)
                    .patchLands()
                    .guestKnows()
                    .settledAt(2)
                    .offersNothing()
                    .uses(2);
        }

        @Test
        void missingOnesStopItWhereItIs() {
            var movie = settled(4);

            movie.at(5).load(1).asksGuest(3);
            movie.at(5.1).core().systemMetricsAbsent(movie.now());
            movie.guestAllows()
                    .wants(4)
                    .tellsGuest(4)
                    .guestKnows()
                    .offersNothing()
                    .uses(4);
        }
    }
}
