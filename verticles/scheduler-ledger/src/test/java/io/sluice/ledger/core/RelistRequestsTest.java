package io.sluice.ledger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.RelistRequests.Pending;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RelistRequestsTest {
    private final RelistRequests relists = new RelistRequests();

    @Test
    void whatIsMissingIsRequestedAtTheNextTickAndOnce() {
        assertThat(relists.tick()).isEmpty();
        relists.missing("first");
        relists.missing("second");

        assertThat(relists.tick()).contains(new Pending(2, "second"));
        assertThat(ticksUntilRequested(100)).isEmpty();
    }

    @Test
    void whatGoesOnMissingIsRequestedEverMoreSeldomAndWithinTheBoundAlways() {
        relists.missing("at once");
        assertThat(relists.tick()).isPresent();

        for (int ticks : new int[] {6, 11, 21, 41, 61, 61}) {
            relists.missing("again");
            assertThat(ticksUntilRequested(RelistRequests.TICKS_MAX + 1)).contains(ticks);
        }
    }

    @Test
    void whatIsMissingAfterAPauseIsRequestedAtOnceAgain() {
        for (int i = 0; i < 4; i++) {
            relists.missing("again");
            ticksUntilRequested(100);
        }
        assertThat(ticksUntilRequested(100)).isEmpty();

        relists.missing("later");
        assertThat(relists.tick()).isPresent();
        relists.missing("and again");
        assertThat(ticksUntilRequested(100)).as("the gap is short again").contains(6);
    }

    @Test
    void whatIsMissingOnceTheProcessesHaveChangedIsRequestedAtOnceAgain() {
        for (int i = 0; i < 6; i++) {
            relists.missing("again");
            ticksUntilRequested(100);
        }

        relists.processesChanged();
        assertThat(relists.tick()).isEmpty();

        relists.missing("still");
        assertThat(relists.tick()).contains(new Pending(1, "still"));
        relists.missing("and again");
        assertThat(ticksUntilRequested(100)).as("the gap is short again").contains(6);
    }

    private Optional<Integer> ticksUntilRequested(int most) {
        for (int tick = 1; tick <= most; tick++) {
            if (relists.tick().isPresent()) {
                return Optional.of(tick);
            }
        }
        return Optional.empty();
    }
}
