package io.sluice.agent.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Method: averages as the kernel makes them, of a number of runnable tasks that is known. */
class LoadDemandTest {
    private static final int SECONDS = 5;
    private static final double KEPT = Math.exp(-SECONDS / 60.0);

    private final LoadDemand demand = new LoadDemand();
    private double load = 1;
    private Instant now = Instant.EPOCH;

    private double after(double tasks) {
        load = load * KEPT + tasks * (1 - KEPT);
        now = now.plusSeconds(SECONDS);
        return demand.cpus(load, now);
    }

    @Test
    void aStepOfTheDemandShowsAtOnce() {
        after(1);
        assertThat(after(1)).isCloseTo(1, within(1e-9));
        assertThat(after(4)).isCloseTo(4, within(1e-9));
        assertThat(after(0)).isCloseTo(0, within(1e-9));
    }

    @Test
    void twoDecimalsAreEnough() {
        after(1);
        load = Math.round(100 * load) / 100.0;
        after(2);
        load = Math.round(100 * load) / 100.0;
        assertThat(after(2)).isCloseTo(2, within(0.13));
    }

    @Test
    void scrapesBetweenTwoAveragesOfTheKernelShowNothingNew() {
        after(1);
        after(1);

        assertThat(demand.cpus(load + 0.1, now.plusMillis(250))).isCloseTo(1, within(1e-9));
        assertThat(after(3)).isCloseTo(3, within(1e-9));
    }

    @Test
    void theFirstAverageAndOneAfterAGapCountAsTheyAre() {
        assertThat(demand.cpus(3, now)).isEqualTo(3);
        assertThat(demand.cpus(1, now.plusSeconds(90))).isEqualTo(1);
    }
}
