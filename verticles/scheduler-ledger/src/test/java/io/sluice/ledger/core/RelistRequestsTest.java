package io.sluice.ledger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.RelistRequests.Pending;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RelistRequestsTest {
    private final RelistRequests facts = new RelistRequests();

    @Test
    void whatIsMissingIsAskedForAtTheNextTickAndOnce() {
        assertThat(facts.tick()).isEmpty();
        facts.missing("first");
        facts.missing("second");

        assertThat(facts.tick()).contains(new Pending(2, "second"));
        assertThat(ticksUntilAsked(100)).isEmpty();
    }

    @Test
    void whatGoesOnMissingIsAskedForEverMoreSeldomAndWithinTheBoundAlways() {
        facts.missing("at once");
        assertThat(facts.tick()).isPresent();

        for (int ticks : new int[] {6, 11, 21, 41, 61, 61}) {
            facts.missing("again");
            assertThat(ticksUntilAsked(RelistRequests.TICKS_MAX + 1)).contains(ticks);
        }
    }

    @Test
    void whatIsMissingAfterAPauseIsAskedForAtOnceAgain() {
        for (int i = 0; i < 4; i++) {
            facts.missing("again");
            ticksUntilAsked(100);
        }
        assertThat(ticksUntilAsked(100)).isEmpty();

        facts.missing("later");
        assertThat(facts.tick()).isPresent();
        facts.missing("and again");
        assertThat(ticksUntilAsked(100)).as("seldom no more").contains(6);
    }

    private Optional<Integer> ticksUntilAsked(int most) {
        for (int tick = 1; tick <= most; tick++) {
            if (facts.tick().isPresent()) {
                return Optional.of(tick);
            }
        }
        return Optional.empty();
    }
}
