package io.sluice.cluster.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Goal: lost state is found in snapshots. */
class StateWatchTest {
    private final StateWatch watch = new StateWatch(List.of("a", "b"), Optional::empty);

    @Test
    void aNodeIsIncompleteThatIsSoTwice() {
        at(0, node("a", true), node("b", true));
        at(1, node("a", false), node("b", true));
        at(2, node("a", true), node("b", true));
        assertThat(watch.take()).isEqualTo(StateWatch.Observed.NOTHING);

        at(3, node("a", false), node("b", true));
        at(4, node("a", false), node("b", true));
        assertThat(watch.take().incomplete()).containsExactly("a");
        assertThat(watch.take().incomplete()).isEmpty();
    }

    @Test
    void aNodeThatIsMissingIsIncomplete() {
        at(0, node("a", true));
        at(1, node("a", true));

        assertThat(watch.take().incomplete()).containsExactly("b");
    }

    @Test
    void aVmStaysAtItsMaximumUntilItsAgentHasReported() {
        at(0, node("a", true, "one", "two"));
        at(1, node("a", true, "two"));
        at(3, node("a", true));
        at(5, node("a", true, "one"));
        at(6, node("a", true));

        assertThat(watch.take().atMaximumMs()).isEqualTo(3_000);
        assertThat(watch.take().atMaximumMs()).isZero();
    }

    private void at(int second, NodeLedgerView... snapshot) {
        watch.take(List.of(snapshot), TimeUnit.SECONDS.toNanos(second));
    }

    private static NodeLedgerView node(String name, boolean complete, String... recovered) {
        var none = Resources.NONE;
        var reservations =
                List.of(recovered).stream().map(StateWatchTest::reservation).toList();
        return new NodeLedgerView(
                name, complete, none, none, none, none, none, none, none, none, none, false, 0, reservations);
    }

    private static ReservationView reservation(String uid) {
        var none = Resources.NONE;
        return new ReservationView(
                uid,
                "default",
                uid,
                "vm",
                none,
                none,
                none,
                none,
                none,
                false,
                AgentContact.RECOVERED,
                0,
                0,
                ReservationTraits.NONE);
    }
}
