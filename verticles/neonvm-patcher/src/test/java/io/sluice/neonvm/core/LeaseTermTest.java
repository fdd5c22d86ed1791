package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.neonvm.core.LeaseTerm.Standing;
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
    void whoHasNeverHeldItSeeksItFromWhoHas() {
        assertThat(NEW.at(START)).isEqualTo(new Standing.Sought(""));
        assertThat(NEW.saw("them", 3).at(START)).isEqualTo(new Standing.Sought("them"));
    }

    @Test
    void aRenewalIsReliedOnFromWhenItWasSent() {
        var held = NEW.renewed(1, START);

        assertThat(held.at(after(9))).isEqualTo(new Standing.Held());
        assertThat(held.at(after(10))).isEqualTo(new Standing.Unsure(SURE));
        assertThat(held.renewed(1, after(8)).at(after(17))).isEqualTo(new Standing.Held());
    }

    @Test
    void oneThatWasNotRenewedInTimeAndStillIsOursIsHeldAgain() {
        var late = NEW.renewed(1, START).saw("us", 1).renewed(1, after(60));

        assertThat(late.at(after(61))).isEqualTo(new Standing.Held());
    }

    @Test
    void oneThatSomebodyElseHoldsIsTaken() {
        assertThat(NEW.renewed(1, START).saw("them", 2).at(after(1))).isEqualTo(new Standing.Taken("them"));
    }

    @Test
    void itStaysTakenWhenItIsOursAgain() {
        var back = NEW.renewed(1, START).saw("them", 2).renewed(3, after(60));

        assertThat(back.at(after(60))).isEqualTo(new Standing.Taken("us"));
    }

    /** Somebody held it and gave it back between two looks. */
    @Test
    void aLaterTermSaysThatSomebodyElseHeldIt() {
        assertThat(NEW.renewed(1, START).saw("", 2).at(after(1))).isEqualTo(new Standing.Taken(""));
        assertThat(NEW.renewed(1, START).renewed(3, after(1)).at(after(1))).isEqualTo(new Standing.Taken("us"));
    }
}
