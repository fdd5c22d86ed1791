package io.sluice.agent.core.scaling;

import static io.sluice.agent.core.scaling.Scenario.UNIT;
import static io.sluice.agent.core.scaling.Scenario.cu;
import static io.sluice.agent.core.scaling.Scenario.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DesiredTest {
    private static final Resources USING = cu(4);

    @Test
    void staysWithinTheBounds() {
        assertThat(desired(0).resources()).isEqualTo(cu(1));
        assertThat(desired(99).resources()).isEqualTo(cu(16));
    }

    @Test
    void anUpscaleRequestRaisesOnlyWhatIsBelowIt() {
        var upscaleRequest = Optional.of(new Desired.Requested(Scenario.START, USING, true, false));
        var raised = desired(2, upscaleRequest, Optional.empty(), 9.9);
        assertThat(raised.resources()).isEqualTo(cu(5));
        assertThat(raised.requestEnds()).contains(seconds(0.1));

        assertThat(desired(7, upscaleRequest, Optional.empty(), 9).requestEnds())
                .isEmpty();
        assertThat(desired(2, upscaleRequest, Optional.empty(), 10).resources()).isEqualTo(cu(2));
    }

    @Test
    void anUpscaleRequestForNoMoreThanTheGoalIsNotWaitedFor() {
        var upscaleRequest = Optional.of(new Desired.Requested(Scenario.START, USING, true, false));
        assertThat(desired(5, upscaleRequest, Optional.empty(), 1).requestEnds())
                .isEmpty();
        assertThat(desired(4, upscaleRequest, Optional.empty(), 1).requestEnds())
                .isPresent();
    }

    @Test
    void anUpscaleRequestForNothingRaisesNothing() {
        var upscaleRequest = Optional.of(new Desired.Requested(Scenario.START, USING, false, false));
        assertThat(desired(2, upscaleRequest, Optional.empty(), 1).resources()).isEqualTo(cu(2));
    }

    @Test
    void aRefusalRaisesTheGoalByAWholeUnit() {
        var denial = Optional.of(new Desired.Denied(Scenario.START, cu(4), cu(3)));
        var kept = desired(1, Optional.empty(), denial, 1);
        assertThat(kept.resources()).isEqualTo(cu(4));
        assertThat(kept.denialEnds()).contains(seconds(4));
        assertThat(desired(1, Optional.empty(), denial, 5).denialEnds()).isEmpty();
    }

    @Test
    void aRefusalThatChangesNothingIsNotWaitedFor() {
        var denial = Optional.of(new Desired.Denied(Scenario.START, cu(4), cu(3)));
        assertThat(desired(6, Optional.empty(), denial, 1).denialEnds()).isEmpty();
    }

    @Test
    void aRefusalIsHonouredBeyondTheMaximum() {
        var denial = Optional.of(new Desired.Denied(Scenario.START, cu(20), cu(19)));
        assertThat(desired(1, Optional.empty(), denial, 1).resources()).isEqualTo(cu(20));
    }

    @Test
    void aSizeWithHugeRemaindersDoesNotOverflow() {
        var most = new Resources(Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(Desired.deniedFloor(UNIT, most, most)).isEqualTo(most);
        assertThat(Desired.requestedCu(UNIT, most, true, true)).isEqualTo(GoalCu.MOST_CU);
        assertThat(Bounds.wholeUnits(most, UNIT)).isEmpty();
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of("down to the lower bound", 4, 1, 2, 6, 2),
                Arguments.of("down as desired", 4, 3, 2, 6, 3),
                Arguments.of("up to the upper bound", 4, 9, 2, 6, 6),
                Arguments.of("up as desired", 4, 5, 2, 6, 5),
                Arguments.of("a lower bound above holds", 4, 1, 6, 6, 4),
                Arguments.of("an upper bound below holds", 4, 9, 2, 3, 4));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void clampsTheWay(String name, int current, int desired, int lower, int upper, int result) {
        assertThat(Bounds.clamp(cu(current), cu(desired), cu(lower), cu(upper))).isEqualTo(cu(result));
    }

    @Test
    void countsWholeUnitsOnlyWhereBothKindsAgree() {
        assertThat(Bounds.wholeUnits(cu(3), UNIT)).hasValue(3);
        assertThat(Bounds.wholeUnits(new Resources(750, cu(4).memoryBytes()), UNIT))
                .isEmpty();
        assertThat(Bounds.wholeUnits(new Resources(751, cu(3).memoryBytes()), UNIT))
                .isEmpty();
    }

    private static Desired desired(int goal) {
        return desired(goal, Optional.empty(), Optional.empty(), 0);
    }

    private static Desired desired(
            int goal, Optional<Desired.Requested> upscaleRequest, Optional<Desired.Denied> denial, double seconds) {
        var request =
                new GoalCu(goal, true, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
        var vm = Scenario.vm(USING, Optional.empty(), Optional.empty());
        return Desired.of(
                request, vm, CoreConfig.DEFAULTS, upscaleRequest, denial, Scenario.START.plus(seconds(seconds)));
    }
}
