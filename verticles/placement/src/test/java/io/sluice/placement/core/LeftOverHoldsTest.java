package io.sluice.placement.core;

import static io.sluice.placement.core.Given.hold;
import static io.sluice.placement.core.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LeftOverHoldsTest {
    private static final Instant START = Instant.EPOCH;
    private static final Instant LATER = START.plus(LeftOverHolds.LEFT_OVER_AFTER);

    private final LeftOverHolds holds = new LeftOverHolds();

    @Test
    void aHoldThatLastsLongIsLeftOver() {
        var ledger = List.of(node("n", 10, 1, hold("p", 1, "a")));

        assertThat(holds.observed(ledger, START)).isEmpty();
        assertThat(holds.observed(ledger, LATER.minusMillis(1))).isEmpty();
        assertThat(holds.observed(ledger, LATER))
                .singleElement()
                .satisfies(
                        attempt -> assertThat(attempt.touch().request()).isEqualTo(new TouchPod("p", "ns", "p-name")));
    }

    @Test
    void theHoldOfALaterAttemptStartsAnew() {
        holds.observed(List.of(node("n", 10, 1, hold("p", 1, "a"))), START);

        assertThat(holds.observed(List.of(node("n", 10, 1, hold("p", 1, "b"))), LATER))
                .isEmpty();
    }

    @Test
    void aHoldThatWasGoneInBetweenStartsAnew() {
        var ledger = List.of(node("n", 10, 1, hold("p", 1, "a")));
        holds.observed(ledger, START);
        holds.observed(List.of(), START.plusSeconds(1));

        assertThat(holds.observed(ledger, LATER)).isEmpty();
    }

    @Test
    void holdsOfMigrationsEndWithTheirMigrations() {
        var ledger = List.of(node("n", 10, 1, hold(HoldRoom.forMigration("ns", "m"), 1, "a")));
        holds.observed(ledger, START);

        assertThat(holds.observed(ledger, LATER)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void aTouchOfThePodShowsWhetherAHoldIsOver(PodBinding found, boolean over) {
        var ledger = List.of(node("n", 10, 1, hold("p", 1, "a")));
        holds.observed(ledger, START);
        var attempt = holds.observed(ledger, LATER).getFirst();

        assertThat(attempt.touched(Optional.of(found)).release())
                .isEqualTo(over ? Optional.of(new ReleaseHold("n", "p", "a")) : Optional.empty());
    }

    static Stream<Arguments> aTouchOfThePodShowsWhetherAHoldIsOver() {
        return Stream.of(
                Arguments.of(new PodBinding.Bound("n"), false),
                Arguments.of(new PodBinding.Bound("another"), true),
                Arguments.of(new PodBinding.Unbound(), true),
                Arguments.of(new PodBinding.Gone(), true),
                Arguments.of(new PodBinding.Refused("403"), false),
                Arguments.of(new PodBinding.InDoubt("503"), false));
    }
}
