package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Movie.cu;
import static io.sluice.agent.core.scaling.Movie.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Single rules of the core that no story turns on, each in the one frame in which it shows. */
class CoreRulesTest {
    private static Movie reference() {
        return Movie.of(Movie.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 1);
    }

    @Test
    void whatAnEarlierRunnerMayHaveToldTheVmCountsUntilAPatchOfItsOwnIsShown() {
        var movie = Movie.of(2);
        movie.core().foundUnsettled(cu(5));
        movie.load(2).asks(5).granted(5).patches(2).patchLands();
        assertThat(movie.core().state().exposure()).isEqualTo(cu(5));
        movie.at(1).settledAt(2).asks(2);
    }

    @Test
    void theTickTellsOfAPatchThatIsInDoubt() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        movie.at(2).core().neonVmInDoubt(movie.now());
        movie.load(1).at(16).asks(4);
    }

    @Test
    void aLapsedPermitLetsNothingGrowWhileTheNextQuestionFails() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(3).asks(3).granted(3).patches(3);
        movie.at(6).patchFails();
        assertThat(movie.at(11).next().neonVmRequest())
                .as("not even beside the question for it")
                .isEmpty();
        movie.asks(3).questionFails();
        assertThat(movie.next().neonVmRequest()).isEmpty();
        assertThat(movie.core().state().permit()).contains(cu(1));
    }

    @Test
    void aLapsedPermitIsNotMoreThanItWasWhereTheVmIsFoundLarger() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        movie.at(2).core().neonVmConflict(movie.now(), cu(6));
        movie.at(12);
        assertThat(movie.next().pluginRequest().orElseThrow().lastPermit()).contains(cu(4));
        assertThat(movie.core().state().effectivePermit(movie.now())).contains(cu(4));
        assertThat(movie.core().detail().effectivePermit(movie.now())).contains(cu(4));
    }

    @Test
    void aPatchDownNeedsNoPermitThatStands() {
        var movie = Movie.of(2).introduced(2).monitorConnects();
        movie.at(1).load(1).asksGuest(1).guestAllows();
        assertThat(movie.next().neonVmRequest().orElseThrow().notAfter()).isEmpty();
    }

    @Test
    void aPermitThatIsRefusedAcknowledgesNothing() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(2).asks(2);
        var question = new ActionRevision(new Revision(9, Revision.UP), movie.now());
        movie.core().takeLatencies();
        assertThat(movie.core().schedulerSuccess(movie.now(), cu(3), Optional.empty(), question))
                .isFalse();
        assertThat(movie.core().takeLatencies()).isEmpty();
        assertThat(movie.core().detail().scheduler().acknowledged()).isEqualTo(Revision.ZERO);
    }

    @Test
    void aPermitOfNothingOfOneKindIsRefusedWhateverIsUsedOfIt() {
        var noMemory = new Resources(250, 0);
        var movie = Movie.of(CoreConfig.DEFAULTS, Movie.vm(noMemory, Optional.empty(), Optional.empty()));
        movie.asks(noMemory);
        var question = new ActionRevision(new Revision(1, 0), movie.now());
        assertThat(movie.core().schedulerSuccess(movie.now(), noMemory, Optional.empty(), question))
                .isFalse();
    }

    @Test
    void onePatchIsSentAtATime() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        assertThat(movie.core().neonVmStarting(movie.now(), cu(2), new Revision(99, 1)))
                .isFalse();
        movie.patchLands().uses(4);
    }

    @Test
    void whatAnotherToldTheVmCountsEvenAfterItIsFoundSmaller() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        movie.core().neonVmConflict(movie.now(), cu(6));
        movie.at(7).load(7).asks(7).granted(7).patches(7);
        movie.core().neonVmConflict(movie.now(), cu(2));
        movie.uses(2);
        assertThat(movie.core().state().exposure()).isEqualTo(cu(6));
    }

    @Test
    void theReferenceDoesNotShutALostPatchOut() {
        var movie = reference().introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        movie.core().neonVmInDoubt(movie.now());
        movie.at(7).load(1);
        assertThat(movie.next().neonVmRequest()).isEmpty();
    }

    @Test
    void aPatchCountsAtOnceOnTheWayDownEvenWhereTheStatusConfirms() {
        var movie = Movie.of(Movie.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 2)
                .introduced(2)
                .monitorConnects();
        movie.at(1).load(1).asksGuest(1).guestAllows().patches(1).patchLands().uses(1);
    }

    @Test
    void aStatusIsWaitedForAsLongAsConfigured() {
        var movie = Movie.of(Movie.with(PermitSafety.STRICT, ConfirmationMode.STATUS, 0), 1)
                .introduced(1)
                .monitorConnects();
        movie.at(1).load(3).asks(3).granted(3).patched(3);
        movie.at(30.999).load(1);
        assertThat(movie.next().neonVmRequest()).isEmpty();
        movie.at(31);
        assertThat(movie.next().neonVmRequest()).isPresent();
    }

    @Test
    void whereTheStatusConfirmsEachPatchHasARevisionOfItsOwn() {
        var movie = Movie.of(Movie.with(PermitSafety.REFERENCE, ConfirmationMode.STATUS, 0), 1)
                .introduced(1);
        movie.at(1).load(4).asks(4).granted(2).patched(2).settledAt(2);
        var first = movie.lastPatch();
        movie.at(3).asks(4).granted(4).patched(4);
        assertThat(movie.lastPatch().value()).isGreaterThan(first.value());
    }

    @Test
    void aLostConnectionTakesAllAlongThatWasSaidInIt() {
        var movie = Movie.of(2).introduced(2).monitorConnects();
        movie.at(1).load(1).asksGuest(1).guestRefuses().guestCries();
        assertThat(movie.core().detail().monitor().acknowledged()).isNotEqualTo(Revision.ZERO);
        movie.core().monitorReset(movie.now());
        assertThat(movie.core().detail().monitor().acknowledged()).isEqualTo(Revision.ZERO);
        movie.monitorConnects().asksGuest(1).guestDidNotAnswer().offersNothing();
        movie.core().monitorReset(movie.now());
        movie.monitorConnects().asksGuest(1).guestAllows().load(2).tellsGuest(2).guestDidNotHear();
        movie.core().monitorReset(movie.now());
        assertThat(movie.core().detail().monitor().upscaleFailedAt()).isEmpty();
    }

    @Test
    void aRequestThatBeginsForgetsThatTheLastOfItsKindFailed() {
        var movie = Movie.of(2).introduced(2).monitorConnects();
        movie.at(1).load(1).asksGuest(1).guestDidNotAnswer();
        movie.at(4).asksGuest(1);
        assertThat(movie.core().detail().monitor().downscaleFailedAt()).isEmpty();
        movie.guestAllows().load(2).tellsGuest(2).guestDidNotHear();
        movie.at(7).tellsGuest(2);
        assertThat(movie.core().detail().monitor().upscaleFailedAt()).isEmpty();
    }

    @Test
    void aCryCountsFromWhatTheGuestKnowsOf() {
        var movie = Movie.of(1).introduced(1).monitorConnects();
        movie.at(1).load(3).asks(3).granted(3).patched(3).load(1).guestCries();
        assertThat(movie.next().basis().requestedCu()).isEqualTo(2);
    }

    @Test
    void theGuestIsToldOfAsManyUnitsAtOnceAsConfigured() {
        var movie = Movie.of(Movie.with(PermitSafety.STRICT, ConfirmationMode.PATCH, 2), 1)
                .introduced(1)
                .monitorConnects();
        movie.at(1)
                .load(4)
                .asks(4)
                .granted(4)
                .patched(4)
                .tellsGuest(3)
                .guestKnows()
                .tellsGuest(4);
    }

    @Test
    void aPatchsOwnRevisionStandsForItsGoalAndIsNotDrawnAgain() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(2).patched(2);
        movie.at(3).asks(4).granted(4).patched(4);
        movie.at(5).settledAt(4);
        assertThat(movie.core().takeLatencies()).contains(new Latency(Latency.Stage.SCALING, seconds(4), Revision.UP));
        movie.load(5);
        assertThat(movie.next()
                        .pluginRequest()
                        .orElseThrow()
                        .targetRevision()
                        .revision()
                        .value())
                .isGreaterThan(movie.lastPatch().value());
    }

    @Test
    void measurementsThatNobodyTakesAreBounded() {
        var movie = Movie.of(1).introduced(1);
        for (int i = 0; i < 1_100; i++) {
            movie.at(20 + i * 20).load(2 - i % 2).asks(2 - i % 2).granted(2 - i % 2);
        }
        assertThat(movie.core().takeLatencies()).hasSize(1_000);
    }
}
