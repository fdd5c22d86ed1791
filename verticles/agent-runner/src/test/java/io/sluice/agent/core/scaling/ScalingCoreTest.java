package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.cu;
import static io.sluice.agent.core.scaling.Scenario.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.revision.Latency;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Upscales and downscales, and the events that may interrupt them. */
class ScalingCoreTest {
    @Test
    void reportsToTheSchedulerAtOnceWhatItUses() {
        var scenario = Scenario.of(2);
        var request = scenario.next().pluginRequest().orElseThrow();
        assertThat(request.target()).isEqualTo(cu(2));
        assertThat(request.lastPermit()).isEmpty();
        assertThat(request.load1()).isEmpty();
        assertThat(scenario.next().desired()).isEqualTo(cu(2));
    }

    @Test
    void goesUpByWayOfSchedulerDriverAndMonitor() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.core().monitorActive(scenario.now());

        scenario.at(1).load(4).requests(4).offersNothing();
        scenario.at(1.1).granted(4).patches(4).offersNothing();
        scenario.at(1.2).core().neonVmSuccess(scenario.now());
        scenario.reportsGuest(4);
        assertThat(scenario.next().monitorDownscale()).isEmpty();
        scenario.at(1.3).core().monitorUpscaleSuccess(scenario.now());

        scenario.settledAt(4).offersNothing();
        assertThat(scenario.core().state().approved()).contains(cu(4));
    }

    @Test
    void goesDownByWayOfMonitorDriverAndSchedulerOneUnitAtATime() {
        var scenario = Scenario.of(3).introduced(3);
        scenario.core().monitorActive(scenario.now());

        scenario.at(1).load(1).downscalesGuest(2).offersNothing();
        scenario.at(1.1).guestAllows().downscalesGuest(1).patches(2);
        scenario.at(1.2).guestAllows().core().neonVmSuccess(scenario.now());
        scenario.patched(1);

        assertThat(scenario.next().pluginRequest())
                .as("the status still shows 3")
                .isEmpty();
        scenario.at(2).settledAt(1).requests(1).granted(1).offersNothing();
    }

    @Test
    void growsByWhatWasGrantedAndRequestsAgainAfterAWhile() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(4).requests(4).granted(2).patched(2).settledAt(2);

        scenario.offersNothing().waits(2);
        scenario.at(3).requests(4);
    }

    @Test
    void waitsBeforeItRequestsAgainAfterAFailure() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(2).requests(2);
        scenario.at(2).core().schedulerFailed(scenario.now());

        scenario.offersNothing().waits(3);
        scenario.at(4.999).offersNothing();
        scenario.at(5).requests(2);
    }

    @Test
    void reportsToTheSchedulerOnEachTick() {
        var scenario = Scenario.of(1).introduced(1).load(1);
        scenario.at(1).offersNothing().waits(14);
        scenario.at(15).requests(1);
    }

    @Test
    void waitsBeforeItPatchesAgainAfterAFailure() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(2).requests(2).granted(2).patches(2);
        scenario.at(1.5).core().neonVmFailed(scenario.now());

        scenario.offersNothing().waits(5);
        scenario.at(6.5).patches(2);
    }

    @Test
    void keepsWhatTheGuestRefusesToGiveBackForAWhile() {
        var scenario = Scenario.of(3).introduced(3);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(1).downscalesGuest(2).guestRefuses();

        assertThat(scenario.next().desired()).isEqualTo(cu(3));
        assertThat(scenario.next().basis().deniedCu()).isEqualTo(3);
        scenario.offersNothing().waits(5);
        scenario.at(6).downscalesGuest(2);
    }

    @Test
    void waitsBeforeItRepeatsARequestThatAGuestDidNotReplyTo() {
        var scenario = Scenario.of(2).introduced(2);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(1).downscalesGuest(1).core().monitorDownscaleFailed(scenario.now());

        scenario.offersNothing().waits(3);
        scenario.at(4).downscalesGuest(1);
    }

    @Test
    void raisesTheGoalForAGuestThatRequestsAnUpscale() {
        var scenario = Scenario.of(1).introduced(1).load(1);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).core().upscaleRequested(scenario.now(), false, true);

        assertThat(scenario.next().basis().requestedCu()).isEqualTo(2);
        scenario.requests(2).granted(2).patched(2).reportsGuest(2).settledAt(2);
        scenario.core().monitorUpscaleSuccess(scenario.now());
        scenario.offersNothing();
        scenario.at(11).downscalesGuest(1);
        assertThat(scenario.next().basis().requestedCu()).isZero();
    }

    @Test
    void acceptsAnUpscaleRequestBeforeItsConnectionIsReported() {
        var scenario = Scenario.of(2).load(1);
        scenario.core().upscaleRequested(scenario.now(), true, true);
        assertThat(scenario.next().desired()).isEqualTo(cu(3));
    }

    @Test
    void neverShrinksAVmWithoutAConnectedMonitor() {
        var scenario = Scenario.of(3).introduced(3);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(1).downscalesGuest(2);
        scenario.core().monitorReset(scenario.now());

        scenario.guestAllows().offersNothing();
        assertThat(scenario.core().state().approved()).isEmpty();

        scenario.core().monitorActive(scenario.now());
        scenario.downscalesGuest(2);
    }

    @Test
    void neverShrinksAVmWithoutMetrics() {
        var scenario = Scenario.of(3).introduced(3).load(1);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).core().systemMetricsAbsent(scenario.now());
        scenario.offersNothing();
        assertThat(scenario.next().desired()).isEqualTo(cu(3));
    }

    @Test
    void doesNotPatchAVmThatIsAboutToMove() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.at(1).load(2).requests(2).granted(2).core().aboutToMove(scenario.now());
        scenario.offersNothing();
        assertThat(scenario.core().neonVmStarting(scenario.now(), cu(2), new Revision(9, 1)))
                .isFalse();

        scenario.core().movingRevoked(scenario.now());
        scenario.patches(2);
    }

    static Stream<Arguments> impossiblePermits() {
        return Stream.of(
                Arguments.of("nothing of one kind", new Resources(0, cu(2).memoryBytes())),
                Arguments.of("more than was requested", cu(5)),
                Arguments.of("less than is in use", new Resources(250, cu(3).memoryBytes())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossiblePermits")
    void refusesAnImpossiblePermit(String name, Resources permit) {
        var scenario = Scenario.of(2).introduced(2);
        scenario.at(1).load(4).requests(4);
        var revision = new ActionRevision(new Revision(1, 1), scenario.now());

        assertThat(scenario.core().schedulerSuccess(scenario.now(), permit, Optional.empty(), revision))
                .isFalse();

        scenario.offersNothing().waits(3);
        assertThat(scenario.core().state().permit()).contains(cu(2));
    }

    @Test
    void ignoresAnswersToWhatIsNotUnderWay() {
        var scenario = Scenario.of(2).introduced(2).load(2);
        scenario.core().monitorActive(scenario.now());
        var before = scenario.core().state();
        var none = new ActionRevision(new Revision(7, 1), scenario.now());

        assertThat(scenario.core().schedulerSuccess(scenario.now(), cu(1), Optional.empty(), none))
                .isFalse();
        scenario.core().schedulerFailed(scenario.now());
        scenario.core().neonVmSuccess(scenario.now());
        scenario.core().neonVmFailed(scenario.now());
        scenario.core().neonVmInDoubt(scenario.now());
        scenario.core().neonVmConflict(scenario.now(), cu(5));
        scenario.core().monitorUpscaleSuccess(scenario.now());
        scenario.core().monitorUpscaleFailed(scenario.now());
        scenario.core().monitorDownscaleAllowed(scenario.now(), none);
        scenario.core().monitorDownscaleDenied(scenario.now(), none);
        scenario.core().monitorDownscaleFailed(scenario.now());

        scenario.offersNothing();
        assertThat(scenario.core().state())
                .usingRecursiveComparison()
                .ignoringFields("desired")
                .isEqualTo(before);
    }

    @Test
    void upscalesTheGuestInStepsWhereThatIsConfigured() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.STRICT, ConfirmationMode.PATCH, 1), 1)
                .introduced(1);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(4).requests(4).granted(4).patched(4);

        scenario.reportsGuest(2).core().monitorUpscaleSuccess(scenario.now());
        scenario.reportsGuest(3);
    }

    @Test
    void survivesAMonitorThatConnectsWhileItsVmShrinks() {
        var scenario = Scenario.of(2).introduced(2);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(1).downscalesGuest(1).guestAllows().patches(1);
        scenario.core().monitorReset(scenario.now());
        scenario.core().monitorActive(scenario.now());
        scenario.core().neonVmSuccess(scenario.now());

        assertThat(scenario.next().neonVmRequest()).isEmpty();
        scenario.downscalesGuest(1);
    }

    @Test
    void survivesAPermitThatWasLoweredWhileItsVmGrew() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 1)
                .introduced(1);
        scenario.at(1).load(3).requests(3).granted(3).patches(3);
        scenario.at(2).load(1).requests(1).granted(1);
        scenario.core().neonVmSuccess(scenario.now());
        assertThat(scenario.next().neonVmRequest()).isEmpty();
    }

    @Test
    void doesNotPatchBeyondWhatItIsRequesting() {
        var scenario = Scenario.of(Scenario.with(PermitSafety.REFERENCE, ConfirmationMode.PATCH, 0), 1)
                .introduced(1);
        scenario.at(1).load(3).requests(3).granted(3);
        scenario.load(1).requests(1).load(3).offersNothing();
        scenario.core().schedulerFailed(scenario.now());
        scenario.patches(3);
    }

    @Test
    void isNotWokenForARefusalWhileTheMonitorIsBusyAnyway() {
        var scenario = Scenario.of(4).introduced(4);
        scenario.core().monitorActive(scenario.now());
        scenario.at(1).load(1).downscalesGuest(3).guestRefuses();
        scenario.core().upscaleRequested(scenario.now(), true, true);
        scenario.requests(5).granted(5).patched(5);
        assertThat(scenario.next().waitFor())
                .as("the refusal of 3 keeps more than the goal")
                .contains(seconds(5));
        scenario.reportsGuest(5);
        assertThat(scenario.next().waitFor()).contains(seconds(10));
    }

    @Test
    void takesItsBoundsAndOverridesFromTheObjectAndRefusesAnInvalidMixtureWhole() {
        var scenario = Scenario.of(2).introduced(2).load(9);
        var own = Overrides.window(9);
        var invalid = new VmInfo(cu(1), cu(4), cu(2), 1L << 30, own, Optional.empty(), Optional.empty());

        assertThatThrownBy(() -> scenario.core().vmUpdated(invalid, scenario.now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lfcWindowSizeMinutes=9");
        assertThat(scenario.next().desired()).isEqualTo(cu(9));

        var smaller = new VmInfo(cu(1), cu(4), cu(2), 1L << 30, Overrides.NONE, Optional.empty(), Optional.empty());
        scenario.core().vmUpdated(smaller, scenario.now());
        assertThat(scenario.next().desired()).isEqualTo(cu(4));
    }

    @Test
    void measuresHowLongAGoalTookAtEachStage() {
        var scenario = Scenario.of(1).introduced(1);
        scenario.core().takeLatencies();
        scenario.at(1).load(2).requests(2);
        scenario.at(1.5).granted(2).patches(2);
        scenario.at(2).core().neonVmSuccess(scenario.now());
        scenario.at(4).settledAt(2);

        assertThat(scenario.core().takeLatencies())
                .containsExactly(
                        new Latency(Latency.Stage.SCHEDULER, seconds(0.5), Revision.UP),
                        new Latency(Latency.Stage.NEON_VM, seconds(2.5), Revision.UP),
                        new Latency(Latency.Stage.SCALING, seconds(3), Revision.UP));
        assertThat(scenario.core().takeLatencies()).isEmpty();
    }
}
