package io.sluice.billing.core.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceCollectorTest {
    private static final Instant START = Instant.parse("2025-03-04T05:06:07.5Z");
    private static final MeterKey ONE = key("u1", "ep-1");
    private static final MeterKey TWO = key("u2", "ep-1");

    private final ReferenceCollector collector = new ReferenceCollector(START);

    @Test
    void billsTheLesserOfTwoNeighbours() {
        look(0, Map.of(ONE, 1000L));
        look(4, Map.of(ONE, 4000L));
        look(8, Map.of(ONE, 2000L));

        assertThat(collector.push(at(10))).containsExactly(charge(ONE, 0, 10, 4_000 + 8_000, 12, 8));
    }

    @Test
    void aKeySampledOnceHasNoCharge() {
        look(0, Map.of());
        look(4, Map.of(ONE, 1000L));

        assertThat(collector.push(at(5))).isEmpty();
    }

    @Test
    void aSampleWithoutTheKeyBreaksItsChainAndNoOther() {
        look(0, Map.of(ONE, 1000L, TWO, 500L));
        look(4, Map.of(TWO, 500L));
        look(8, Map.of(ONE, 1000L, TWO, 500L));
        look(12, Map.of(ONE, 1000L, TWO, 500L));

        assertThat(collector.push(at(12)))
                .containsExactlyInAnyOrder(charge(ONE, 0, 12, 4_000, 4, 4), charge(TWO, 0, 12, 6_000, 6, 12));
    }

    @Test
    void anotherEndpointIsAnotherKeyAndBeginsAnew() {
        var moved = key("u1", "ep-2");
        look(0, Map.of(ONE, 1000L));
        look(4, Map.of(ONE, 1000L));
        look(8, Map.of(moved, 1000L));
        look(12, Map.of(moved, 1000L));

        assertThat(collector.push(at(12)))
                .containsExactlyInAnyOrder(charge(ONE, 0, 12, 4_000, 4, 4), charge(moved, 0, 12, 4_000, 4, 4));
    }

    @Test
    void aSliceCountsWholeInTheWindowInWhichItEnds() {
        look(0, Map.of(ONE, 1000L));
        assertThat(collector.push(at(3))).isEmpty();
        look(4, Map.of(ONE, 1000L));
        look(8, Map.of(ONE, 1000L));

        assertThat(collector.push(at(9))).containsExactly(charge(ONE, 3, 9, 8_000, 8, 8));
        assertThat(collector.push(at(11))).as("window without a slice").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"499, 0", "500, 1", "501, 1", "1499, 1", "1500, 2", "2500, 3", "0, 0"})
    void halvesOfASecondAreRoundedUpAndTheRestIsLost(long ms, long seconds) {
        look(0, Map.of(ONE, 1000L));
        collector.sample(START.plusMillis(ms), Map.of(ONE, 1000L));

        var first = collector.push(START.plusMillis(ms)).getFirst();
        assertThat(first.computeSeconds()).isEqualTo(seconds);
        assertThat(first.activeSeconds()).isEqualTo(seconds);
        assertThat(first.activeNs()).isEqualTo(ms * 1_000_000);

        collector.sample(START.plusMillis(ms + 2000), Map.of(ONE, 1000L));
        assertThat(collector.push(START.plusMillis(ms + 2000)).getFirst().computeSeconds())
                .isEqualTo(2);
    }

    @Test
    void aKeyWithoutCpuIsChargedItsTimeAlone() {
        look(0, Map.of(ONE, 0L));
        look(4, Map.of(ONE, 4000L));

        assertThat(collector.push(at(4))).containsExactly(charge(ONE, 0, 4, 0, 0, 4));
    }

    @Test
    void nothingIsRoundedBeforeTheWindowEnds() {
        long milliCpu = 7;
        for (int i = 0; i <= 1000; i++) {
            collector.sample(START.plusNanos(i * 333L), Map.of(ONE, milliCpu));
        }

        var charge = collector.push(at(1)).getFirst();
        assertThat(charge.milliCpuNs()).isEqualTo(BigInteger.valueOf(7L * 333_000));
        assertThat(charge.activeNs()).isEqualTo(333_000);
    }

    @Test
    void countsExactlyBeyondWhatALongHolds() {
        look(0, Map.of(ONE, 10_000_000L));
        collector.sample(START.plus(Duration.ofDays(30)), Map.of(ONE, 10_000_000L));

        var charge = collector.push(START.plus(Duration.ofDays(30))).getFirst();
        assertThat(charge.milliCpuNs()).isEqualTo(new BigInteger("25920000000000000000000"));
        assertThat(charge.computeSeconds()).isEqualTo(25_920_000_000L);
    }

    @Test
    void theWindowBegunIsChargedWhenItStops() {
        look(0, Map.of(ONE, 1000L));
        look(4, Map.of(ONE, 1000L));

        assertThat(collector.flush(at(6))).containsExactly(charge(ONE, 0, 6, 4_000, 4, 4));
        look(8, Map.of(ONE, 1000L));
        assertThat(collector.push(at(8)))
                .as("no use from before the stop is left")
                .isEmpty();
    }

    @Test
    void aClockThatStepsBackBillsNoSecondTwice() {
        look(0, Map.of(ONE, 1000L));
        look(10, Map.of(ONE, 1000L));
        look(5, Map.of(ONE, 1000L));
        look(12, Map.of(ONE, 1000L));
        assertThat(collector.push(at(12))).containsExactly(charge(ONE, 0, 12, 12_000, 12, 12));

        look(14, Map.of(ONE, 1000L));
        assertThat(collector.push(at(11))).containsExactly(charge(ONE, 12, 12, 2_000, 2, 2));
    }

    @Test
    void reportsItsState() {
        look(0, Map.of(ONE, 1000L));
        look(4, Map.of(ONE, 1000L));
        look(8, Map.of(ONE, 500L));

        var slice = new UsageSlice(at(4), at(8), 500);
        assertThat(collector.state())
                .isEqualTo(new ReferenceState(
                        START,
                        at(8),
                        Map.of(ONE, 500L),
                        Map.of(
                                ONE,
                                new WindowUse(
                                        slice,
                                        milliCpuNs(4_000),
                                        Duration.ofSeconds(4).toNanos()))));
    }

    @Test
    void refusesLessThanNoCpu() {
        assertThatThrownBy(() -> collector.sample(START, Map.of(ONE, -1L)))
                .hasMessage("milliCpu of ns/u1 must not be negative: -1");
        assertThat(collector.state().present()).isEmpty();
    }

    private void look(long second, Map<MeterKey, Long> present) {
        collector.sample(at(second), present);
    }

    private static Instant at(long second) {
        return START.plusSeconds(second);
    }

    private static MeterKey key(String uid, String endpoint) {
        return new MeterKey(new VmId("neonvm", "ns", uid, uid), endpoint);
    }

    private static BigInteger milliCpuNs(long milliCpuSeconds) {
        return BigInteger.valueOf(milliCpuSeconds).multiply(BigInteger.valueOf(1_000_000_000));
    }

    private static UsageRecord charge(
            MeterKey key, long start, long stop, long milliCpuSeconds, long compute, long active) {
        return new UsageRecord(
                key,
                at(start),
                at(stop),
                milliCpuNs(milliCpuSeconds),
                Duration.ofSeconds(active).toNanos(),
                compute,
                active);
    }
}
