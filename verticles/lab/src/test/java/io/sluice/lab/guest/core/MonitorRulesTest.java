package io.sluice.lab.guest.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitorRulesTest {
    private static final long MIB = 1L << 20;
    private static final long TOTAL = 4096 * MIB;
    private static final Duration SAMPLE = Duration.ofMillis(100);

    private final MonitorRules rules = new MonitorRules(TOTAL);
    private Instant now = Instant.parse("2026-11-21T00:00:00Z");

    /** The number of upscale requests while this much is used for this many samples. */
    private int hold(long bytes, int samples) {
        int upscaleRequests = 0;
        for (int i = 0; i < samples; i++) {
            upscaleRequests += rules.sample(bytes, now) ? 1 : 0;
            now = now.plus(SAMPLE);
        }
        return upscaleRequests;
    }

    private static double mib(long bytes) {
        return bytes / (double) MIB;
    }

    @Test
    void keepsALowerThresholdForTheSameSizeOnceItWasGranted() {
        assertThat(mib(rules.threshold())).isEqualTo(3481.6, within(0.05));
        rules.granted(TOTAL);
        assertThat(mib(rules.threshold())).isEqualTo(3396.6, within(0.05));
        rules.granted(0);
        assertThat(rules.threshold()).isZero();
    }

    @Test
    void sendsAnUpscaleRequestAtTheThresholdAndNotOneByteBelow() {
        assertThat(hold(rules.threshold() - 1, 30)).isZero();
        assertThat(hold(rules.threshold(), 5)).isOne();
    }

    @Test
    void sendsAnUpscaleRequestOnceASecondWhileItLasts() {
        assertThat(hold(TOTAL, 31)).isEqualTo(4);
    }

    /**
     * The used memory before and after in percent of the total, and the number of the sample of the new use at which
     * the mean crosses.
     */
    @ParameterizedTest
    @CsvSource({"25, 100, 4", "80, 95, 2", "1, 1000, 1"})
    void sendsAnUpscaleRequestWithTheSampleAtWhichTheMeanCrosses(long before, long after, int crossing) {
        assertThat(hold(TOTAL * before / 100, 10)).isZero();
        assertThat(hold(TOTAL * after / 100, crossing - 1)).isZero();
        assertThat(hold(TOTAL * after / 100, 1)).isOne();
    }

    @Test
    void ignoresAShortSpike() {
        hold(TOTAL / 4, 10);
        assertThat(hold(TOTAL, 2) + hold(TOTAL / 4, 10)).isZero();
    }

    @Test
    void stopsCryingOnlyForEnough() {
        hold(TOTAL, 5);
        rules.granted(TOTAL + 512 * MIB);
        assertThat(hold(TOTAL, 20)).isPositive();
        rules.granted(2 * TOTAL);
        assertThat(hold(TOTAL, 20)).isZero();
    }

    /** MiB in use, the smallest size to which it agrees and the largest that it denies, both of a ladder. */
    @ParameterizedTest
    @CsvSource({"0, 256, 200", "100, 512, 256", "500, 1024, 768", "2000, 2816, 2560", "3400, 8192, 4096"})
    void givesWhatLeavesRoomToSpare(long usedMib, long allowedMib, long deniedMib) {
        hold(usedMib * MIB, 5);
        assertThat(rules.shrink(deniedMib * MIB, now)).isInstanceOf(Shrink.Denied.class);
        assertThat(rules.shrink(allowedMib * MIB, now)).isInstanceOf(Shrink.Allowed.class);
    }

    @Test
    void givesAtTheBoundaryAndNotOneByteBeyond() {
        hold(1_631_374_540L, 5);
        assertThat(rules.shrink(2048 * MIB, now)).isInstanceOf(Shrink.Allowed.class);
        assertThat(mib(rules.threshold())).isEqualTo(1655.8, within(0.05));
        hold(1_631_374_541L, 5);
        assertThat(rules.shrink(2048 * MIB, now))
                .isEqualTo(new Shrink.Denied(
                        "threshold would be 1655.8 MiB, below 1555.8 MiB in use and 100.0 MiB to spare"));
    }

    @Test
    void changesNothingByRefusing() {
        hold(3400 * MIB, 5);
        long before = rules.threshold();
        rules.shrink(1024 * MIB, now);
        assertThat(rules.threshold()).isEqualTo(before);
    }

    @Test
    void refusesUntilItHasTwoSamples() {
        List<Shrink> rulings = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rulings.add(rules.shrink(2048 * MIB, now));
            hold(100 * MIB, 1);
        }
        assertThat(rulings.get(0)).isInstanceOf(Shrink.Denied.class);
        assertThat(rulings.get(1)).isInstanceOf(Shrink.Denied.class);
        assertThat(rulings.get(2)).isInstanceOf(Shrink.Allowed.class);
    }

    @Test
    void failsWithoutAFreshSample() {
        hold(100 * MIB, 5);
        var last = now.minus(SAMPLE);
        assertThat(rules.shrink(2048 * MIB, last.plusSeconds(5))).isInstanceOf(Shrink.Allowed.class);
        assertThat(rules.shrink(2048 * MIB, last.plusSeconds(5).plusNanos(1))).isInstanceOf(Shrink.Failed.class);
    }

    @Test
    void letsItselfBeShrunkUpwards() {
        hold(100 * MIB, 5);
        assertThat(rules.shrink(Long.MAX_VALUE, now)).isInstanceOf(Shrink.Allowed.class);
        assertThat(rules.threshold()).isGreaterThan(TOTAL);
    }
}
