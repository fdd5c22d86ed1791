package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Movie.cu;
import static io.sluice.agent.core.scaling.Movie.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What strict permits add: nothing is given back too early, and nothing is taken too late. */
class StrictPermitTest {
    @Test
    void namesTheInstantByWhichGrowthMustHaveLeft() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(3).asks(3);
        movie.at(1.5).granted(3);
        assertThat(movie.next().neonVmRequest().orElseThrow().notAfter()).contains(Movie.START.plusSeconds(11));
    }

    @Test
    void asksAgainOnceThePermitHasLapsed() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(3).asks(3).granted(3).patches(3);
        movie.at(7).core().neonVmFailed(movie.now());

        movie.offersNothing().waits(4);
        movie.at(11);
        assertThat(movie.core().state().effectivePermit(movie.now())).contains(cu(1));
        assertThat(movie.next().pluginRequest().orElseThrow().lastPermit()).contains(cu(1));
        movie.asks(3).granted(3);
        movie.at(12).patches(3);
    }

    @Test
    void refusesToStartGrowthOnAPermitThatLapsedSinceTheOffer() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(3).asks(3).granted(3);
        var offer = movie.at(10.999).next().neonVmRequest().orElseThrow();

        boolean started = movie.at(11)
                .core()
                .neonVmStarting(
                        movie.now(), offer.target(), offer.targetRevision().revision());

        assertThat(started).isFalse();
        assertThat(movie.core().state().patching()).isEmpty();
        movie.asks(3);
    }

    @Test
    void takesTheSmallerOfBothValidities() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(3).asks(3);
        var revision = new ActionRevision(new Revision(1, 1), movie.now());
        movie.core().schedulerSuccess(movie.now(), cu(3), Optional.of(Duration.ofSeconds(4)), revision);
        assertThat(movie.core().state().permitLapsesAt()).contains(Movie.START.plusSeconds(5));

        movie.at(5).asks(3);
        movie.core().schedulerSuccess(movie.now(), cu(3), Optional.of(Duration.ofSeconds(60)), revision);
        assertThat(movie.core().state().permitLapsesAt()).contains(Movie.START.plusSeconds(15));
    }

    @Test
    void takesAQuestionForLessAsDoneWhenItIsSent() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4);
        movie.load(2).asks(2).patches(2);
        movie.at(1.1).core().schedulerFailed(movie.now());
        movie.core().neonVmSuccess(movie.now());

        movie.load(4).settledAt(2);
        assertThat(movie.next().neonVmRequest()).as("4 are no longer permitted").isEmpty();
        movie.at(4.1).asks(4).granted(4).patches(4);
    }

    @Test
    void repeatsANoticeThatWasLost() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4);
        movie.load(1).asks(1);
        movie.at(2).core().schedulerFailed(movie.now());

        movie.offersNothing().waits(3);
        movie.at(5).asks(1).granted(1);
        movie.offersNothing().waits(15);
    }

    @Test
    void keepsBookedWhatTheGuestCouldNotGiveBack() {
        var movie = Movie.of(2).introduced(2);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(1).asksGuest(1).guestAllows().patched(1);
        var cpuAlone = new Resources(250, cu(2).memoryBytes());

        movie.at(2).shows(cpuAlone, Revision.ZERO);
        movie.asks(cpuAlone)
                .core()
                .schedulerSuccess(
                        movie.now(), cpuAlone, Optional.empty(), new ActionRevision(Revision.ZERO, movie.now()));
        movie.offersNothing();

        movie.at(9).settledAt(1).asks(1);
    }

    @Test
    void keepsBookedWhatALostPatchMayStillTake() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        movie.at(3).core().neonVmInDoubt(movie.now());
        movie.load(1);

        movie.offersNothing();
        assertThat(movie.core().state().exposure()).isEqualTo(cu(4));
        assertThat(movie.core().state().inDoubt()).isTrue();
    }

    @Test
    void shutsALostPatchOutByAnotherEvenToTheSizeItHas() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        var lost = movie.lastPatch();
        movie.at(3).core().neonVmInDoubt(movie.now());
        movie.load(1).waits(5);

        movie.at(8).patches(1);
        assertThat(movie.lastPatch().value()).isGreaterThan(lost.value());
        movie.core().neonVmSuccess(movie.now());
        assertThat(movie.core().state().inDoubt()).isFalse();
        assertThat(movie.core().state().exposure())
                .as("it may have been applied before")
                .isEqualTo(cu(4));

        movie.at(9).settledAt(1);
        assertThat(movie.core().state().exposure()).isEqualTo(cu(1));
        movie.asks(1);
    }

    @Test
    void staysInDoubtWhenTheShuttingPatchIsRefused() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        movie.at(2).core().neonVmInDoubt(movie.now());
        movie.at(7).load(1).patches(1).core().neonVmFailed(movie.now());

        assertThat(movie.core().state().inDoubt()).isTrue();
        movie.at(12).patches(1);
    }

    @Test
    void takesTheSizeThatAFailedPatchFoundAndDoesNotRepeatItAtOnce() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(4).patches(4);
        movie.at(2).core().neonVmInDoubt(movie.now());
        movie.at(7).patches(4).core().neonVmConflict(movie.now(), cu(4));

        assertThat(movie.core().state().using()).isEqualTo(cu(4));
        movie.offersNothing().waits(5);
        movie.at(12).patched(4);
        assertThat(movie.core().state().inDoubt()).isFalse();
    }

    @Test
    void givesEachPatchItsOwnRevisionAndOffersItUnchangedUntilItStarts() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(2);
        var first = movie.next().neonVmRequest();
        assertThat(movie.next().neonVmRequest()).isEqualTo(first);
        movie.patched(2);
        var second = movie.lastPatch();
        movie.at(3).asks(4).granted(4).patched(4);

        assertThat(movie.lastPatch().value()).isGreaterThan(second.value());
        assertThat(movie.lastPatch().flags()).isEqualTo(second.flags());
    }

    @Test
    void doesNotUseARevisionThatTheStatusAlreadyShows() {
        var movie = Movie.of(1).introduced(1).shows(cu(1), new Revision(90, 0));
        movie.at(1).load(2).asks(2).granted(2).patched(2);
        assertThat(movie.lastPatch().value()).isGreaterThan(90);
    }

    @Test
    void settlesAPatchWhoseStatusCameBeforeItsAcknowledgement() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(2).asks(2).granted(2).patches(2).settledAt(2);
        movie.core().neonVmSuccess(movie.now());
        movie.core().monitorActive(movie.now());

        movie.at(2).load(1).asksGuest(1).guestAllows().patched(1).settledAt(1);
        assertThat(movie.core().state().exposure()).isEqualTo(cu(1));
        movie.asks(1);
        assertThat(movie.next().waitFor()).isEmpty();
    }

    @Test
    void wakesWhenAPermitLapses() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(3).asks(3).granted(3);
        assertThat(movie.next().waitFor()).contains(seconds(10));
    }
}
