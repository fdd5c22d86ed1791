package io.sluice.placement.core;

import static io.sluice.placement.core.Given.hold;
import static io.sluice.placement.core.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.vm.ReadPod;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftOverHoldsTest {
    private static final Instant START = Instant.EPOCH;
    private static final Instant LATER = START.plus(LeftOverHolds.BIND_MAX);

    private final LeftOverHolds holds = new LeftOverHolds();

    @Test
    void aHoldIsLeftOverOnceNoBindCanTakeEffectAnyMore() {
        var ledger = List.of(node("n", 10, 1, hold("p", 1, "a")));

        assertThat(holds.observed(ledger, START)).isEmpty();
        assertThat(holds.observed(ledger, LATER.minusMillis(1))).isEmpty();
        assertThat(holds.observed(ledger, LATER))
                .containsExactly(new LeftOverHolds.Hold("n", new ReadPod("p", "ns", "p-name"), "a"));
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
}
