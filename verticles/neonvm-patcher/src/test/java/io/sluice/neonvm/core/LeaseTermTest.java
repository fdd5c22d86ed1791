package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.neonvm.core.LeaseTerm.State;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseTermTest {
    private static final Duration SURE = Duration.ofSeconds(10);
    private static final LeaseTerm NEW = LeaseTerm.sought("us", SURE);
    private static final long START = -5;

    private static long after(long seconds) {
        return START + TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void aProcessThatNeverHeldItSeeksItFromItsHolder() {
        assertThat(NEW.at(START)).isEqualTo(new State.Sought(""));
        assertThat(NEW.saw("them", 3).at(START)).isEqualTo(new State.Sought("them"));
    }

    @Test
    void aRenewalIsReliedOnFromWhenItWasSent() {
        var held = NEW.renewed(1, START);

        assertThat(held.at(after(9))).isEqualTo(new State.Held());
        assertThat(held.at(after(10))).isEqualTo(new State.Unsure(SURE));
        assertThat(held.renewed(1, after(8)).at(after(17))).isEqualTo(new State.Held());
    }

    @Test
    void oneThatWasNotRenewedInTimeAndStillIsOursIsHeldAgain() {
        var late = NEW.renewed(1, START).saw("us", 1).renewed(1, after(60));

        assertThat(late.at(after(61))).isEqualTo(new State.Held());
    }

    @Test
    void oneThatAnotherProcessHoldsIsTaken() {
        assertThat(NEW.renewed(1, START).saw("them", 2).at(after(1))).isEqualTo(new State.Taken("them"));
    }

    @Test
    void itStaysTakenWhenItIsOursAgain() {
        var back = NEW.renewed(1, START).saw("them", 2).renewed(3, after(60));

        assertThat(back.at(after(60))).isEqualTo(new State.Taken("us"));
    }

    /** Another process held it and released it between two reads. */
    @Test
    void aLaterTermShowsThatAnotherProcessHeldIt() {
        assertThat(NEW.renewed(1, START).saw("", 2).at(after(1))).isEqualTo(new State.Taken(""));
        assertThat(NEW.renewed(1, START).renewed(3, after(1)).at(after(1))).isEqualTo(new State.Taken("us"));
    }
}
