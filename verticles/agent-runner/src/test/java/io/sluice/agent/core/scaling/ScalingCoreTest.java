package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Movie.cu;
import static io.sluice.agent.core.scaling.Movie.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways up and down, and what may come in between. */
class ScalingCoreTest {
    @Test
    void tellsTheSchedulerAtOnceWhatItUses() {
        var movie = Movie.of(2);
        var question = movie.next().pluginRequest().orElseThrow();
        assertThat(question.target()).isEqualTo(cu(2));
        assertThat(question.lastPermit()).isEmpty();
        assertThat(question.load1()).isEmpty();
        assertThat(movie.next().desired()).isEqualTo(cu(2));
    }

    @Test
    void goesUpByWayOfSchedulerDriverAndMonitor() {
        var movie = Movie.of(1).introduced(1);
        movie.core().monitorActive(movie.now());

        movie.at(1).load(4).asks(4).offersNothing();
        movie.at(1.1).granted(4).patches(4).offersNothing();
        movie.at(1.2).core().neonVmSuccess(movie.now());
        movie.tellsGuest(4);
        assertThat(movie.next().monitorDownscale()).isEmpty();
        movie.at(1.3).core().monitorUpscaleSuccess(movie.now());

        movie.settledAt(4).offersNothing();
        assertThat(movie.core().state().approved()).contains(cu(4));
    }

    @Test
    void goesDownByWayOfMonitorDriverAndSchedulerOneUnitAtATime() {
        var movie = Movie.of(3).introduced(3);
        movie.core().monitorActive(movie.now());

        movie.at(1).load(1).asksGuest(2).offersNothing();
        movie.at(1.1).guestAllows().asksGuest(1).patches(2);
        movie.at(1.2).guestAllows().core().neonVmSuccess(movie.now());
        movie.patched(1);

        assertThat(movie.next().pluginRequest()).as("the status still shows 3").isEmpty();
        movie.at(2).settledAt(1).asks(1).granted(1).offersNothing();
    }

    @Test
    void growsByWhatWasGrantedAndAsksAgainAfterAWhile() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(4).asks(4).granted(2).patched(2).settledAt(2);

        movie.offersNothing().waits(2);
        movie.at(3).asks(4);
    }

    @Test
    void waitsBeforeItAsksAgainAfterAFailure() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(2).asks(2);
        movie.at(2).core().schedulerFailed(movie.now());

        movie.offersNothing().waits(3);
        movie.at(4.999).offersNothing();
        movie.at(5).asks(2);
    }

    @Test
    void tellsTheSchedulerOfItselfOnEachTick() {
        var movie = Movie.of(1).introduced(1).load(1);
        movie.at(1).offersNothing().waits(14);
        movie.at(15).asks(1);
    }

    @Test
    void waitsBeforeItPatchesAgainAfterAFailure() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(2).asks(2).granted(2).patches(2);
        movie.at(1.5).core().neonVmFailed(movie.now());

        movie.offersNothing().waits(5);
        movie.at(6.5).patches(2);
    }

    @Test
    void keepsWhatTheGuestRefusesToGiveBackForAWhile() {
        var movie = Movie.of(3).introduced(3);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(1).asksGuest(2).guestRefuses();

        assertThat(movie.next().desired()).isEqualTo(cu(3));
        assertThat(movie.next().basis().vetoedCu()).isEqualTo(3);
        movie.offersNothing().waits(5);
        movie.at(6).asksGuest(2);
    }

    @Test
    void waitsBeforeItAsksAGuestAgainThatDidNotAnswer() {
        var movie = Movie.of(2).introduced(2);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(1).asksGuest(1).core().monitorDownscaleFailed(movie.now());

        movie.offersNothing().waits(3);
        movie.at(4).asksGuest(1);
    }

    @Test
    void raisesTheGoalForAGuestThatCries() {
        var movie = Movie.of(1).introduced(1).load(1);
        movie.core().monitorActive(movie.now());
        movie.at(1).core().upscaleRequested(movie.now(), false, true);

        assertThat(movie.next().basis().requestedCu()).isEqualTo(2);
        movie.asks(2).granted(2).patched(2).tellsGuest(2).settledAt(2);
        movie.core().monitorUpscaleSuccess(movie.now());
        movie.offersNothing();
        movie.at(11).asksGuest(1);
        assertThat(movie.next().basis().requestedCu()).isZero();
    }

    @Test
    void hearsACryBeforeItKnowsOfTheConnection() {
        var movie = Movie.of(2).load(1);
        movie.core().upscaleRequested(movie.now(), true, true);
        assertThat(movie.next().desired()).isEqualTo(cu(3));
    }

    @Test
    void neverShrinksAVmWhoseMonitorIsNotConnected() {
        var movie = Movie.of(3).introduced(3);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(1).asksGuest(2);
        movie.core().monitorReset(movie.now());

        movie.guestAllows().offersNothing();
        assertThat(movie.core().state().approved()).isEmpty();

        movie.core().monitorActive(movie.now());
        movie.asksGuest(2);
    }

    @Test
    void neverShrinksAVmWithoutMetrics() {
        var movie = Movie.of(3).introduced(3).load(1);
        movie.core().monitorActive(movie.now());
        movie.at(1).core().systemMetricsAbsent(movie.now());
        movie.offersNothing();
        assertThat(movie.next().desired()).isEqualTo(cu(3));
    }

    @Test
    void doesNotPatchAVmThatIsAboutToMove() {
        var movie = Movie.of(1).introduced(1);
        movie.at(1).load(2).asks(2).granted(2).core().aboutToMove(movie.now());
        movie.offersNothing();
        assertThat(movie.core().neonVmStarting(movie.now(), cu(2), new Revision(9, 1)))
                .isFalse();

        movie.core().movingRevoked(movie.now());
        movie.patches(2);
    }

    static Stream<Arguments> impossiblePermits() {
        return Stream.of(
                Arguments.of("nothing of one kind", new Resources(0, cu(2).memoryBytes())),
                Arguments.of("more than was asked", cu(5)),
                Arguments.of("less than is in use", new Resources(250, cu(3).memoryBytes())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossiblePermits")
    void refusesAnImpossiblePermit(String name, Resources permit) {
        var movie = Movie.of(2).introduced(2);
        movie.at(1).load(4).asks(4);
        var revision = new ActionRevision(new Revision(1, 1), movie.now());

        assertThat(movie.core().schedulerSuccess(movie.now(), permit, Optional.empty(), revision))
                .isFalse();

        movie.offersNothing().waits(3);
        assertThat(movie.core().state().permit()).contains(cu(2));
    }

    @Test
    void ignoresAnswersToWhatIsNotUnderWay() {
        var movie = Movie.of(2).introduced(2).load(2);
        movie.core().monitorActive(movie.now());
        var before = movie.core().state();
        var none = new ActionRevision(new Revision(7, 1), movie.now());

        assertThat(movie.core().schedulerSuccess(movie.now(), cu(1), Optional.empty(), none))
                .isFalse();
        movie.core().schedulerFailed(movie.now());
        movie.core().neonVmSuccess(movie.now());
        movie.core().neonVmFailed(movie.now());
        movie.core().neonVmInDoubt(movie.now());
        movie.core().neonVmConflict(movie.now(), cu(5));
        movie.core().monitorUpscaleSuccess(movie.now());
        movie.core().monitorUpscaleFailed(movie.now());
        movie.core().monitorDownscaleAllowed(movie.now(), none);
        movie.core().monitorDownscaleDenied(movie.now(), none);
        movie.core().monitorDownscaleFailed(movie.now());

        movie.offersNothing();
        assertThat(movie.core().state())
                .usingRecursiveComparison()
                .ignoringFields("desired")
                .isEqualTo(before);
    }

    @Test
    void tellsTheGuestOfMoreInStepsWhereThatIsConfigured() {
        var movie = Movie.of(Movie.with(PermitSafety.STRICT, ConfirmationMode.PATCH, 1), 1)
                .introduced(1);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(4).asks(4).granted(4).patched(4);

        movie.tellsGuest(2).core().monitorUpscaleSuccess(movie.now());
        movie.tellsGuest(3);
    }

    @Test
    void survivesAMonitorThatConnectsWhileItsVmShrinks() {
        var movie = Movie.of(2).introduced(2);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(1).asksGuest(1).guestAllows().patches(1);
        movie.core().monitorReset(movie.now());
        movie.core().monitorActive(movie.now());
        movie.core().neonVmSuccess(movie.now());

        assertThat(movie.next().neonVmRequest()).isEmpty();
        movie.asksGuest(1);
    }

    @Test
    void survivesAPermitThatWasLoweredWhileItsVmGrew() {
        var movie = Movie.of(Movie.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 1)
                .introduced(1);
        movie.at(1).load(3).asks(3).granted(3).patches(3);
        movie.at(2).load(1).asks(1).granted(1);
        movie.core().neonVmSuccess(movie.now());
        assertThat(movie.next().neonVmRequest()).isEmpty();
    }

    @Test
    void doesNotPatchBeyondWhatItIsAskingFor() {
        var movie = Movie.of(Movie.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 1)
                .introduced(1);
        movie.at(1).load(3).asks(3).granted(3);
        movie.load(1).asks(1).load(3).offersNothing();
        movie.core().schedulerFailed(movie.now());
        movie.patches(3);
    }

    @Test
    void isNotWokenForARefusalWhileTheMonitorIsBusyAnyway() {
        var movie = Movie.of(4).introduced(4);
        movie.core().monitorActive(movie.now());
        movie.at(1).load(1).asksGuest(3).guestRefuses();
        movie.core().upscaleRequested(movie.now(), true, true);
        movie.asks(5).granted(5).patched(5);
        assertThat(movie.next().waitFor())
                .as("the refusal of 3 keeps more than the goal")
                .contains(seconds(5));
        movie.tellsGuest(5);
        assertThat(movie.next().waitFor()).contains(seconds(10));
    }

    @Test
    void takesItsBoundsAndOverridesFromTheObjectAndRefusesAnInvalidMixtureWhole() {
        var movie = Movie.of(2).introduced(2).load(9);
        var own = Overrides.window(9);
        var invalid = new VmInfo(cu(1), cu(4), cu(2), 1L << 30, own, Optional.empty(), Optional.empty());

        assertThatThrownBy(() -> movie.core().vmUpdated(invalid, movie.now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lfcWindowSizeMinutes=9");
        assertThat(movie.next().desired()).isEqualTo(cu(9));

        var smaller = new VmInfo(cu(1), cu(4), cu(2), 1L << 30, Overrides.NONE, Optional.empty(), Optional.empty());
        movie.core().vmUpdated(smaller, movie.now());
        assertThat(movie.next().desired()).isEqualTo(cu(4));
    }

    @Test
    void measuresHowLongAGoalTookAtEachStage() {
        var movie = Movie.of(1).introduced(1);
        movie.core().takeLatencies();
        movie.at(1).load(2).asks(2);
        movie.at(1.5).granted(2).patches(2);
        movie.at(2).core().neonVmSuccess(movie.now());
        movie.at(4).settledAt(2);

        assertThat(movie.core().takeLatencies())
                .containsExactly(
                        new Latency(Latency.Stage.SCHEDULER, seconds(0.5), Revision.UP),
                        new Latency(Latency.Stage.NEON_VM, seconds(2.5), Revision.UP),
                        new Latency(Latency.Stage.SCALING, seconds(3), Revision.UP));
        assertThat(movie.core().takeLatencies()).isEmpty();
    }
}
