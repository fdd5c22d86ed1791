package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PressureBalanceTest {
    private static final Resources WATERMARK = new Resources(8_000, 8_000);

    static Stream<Arguments> weighed() {
        return Stream.of(
                Arguments.of("below the watermark", of(7_000, 0, 0, 0), 0),
                Arguments.of("at the watermark, denied more", of(8_000, 1_000, 0, 0), 0),
                Arguments.of("above it, and denied more", of(10_000, 1_000, 0, 0), 3_000),
                Arguments.of("enough is migrating", of(10_000, 1_000, 3_000, 0), 0),
                Arguments.of("not enough is migrating", of(10_000, 1_000, 2_999, 0), 1),
                Arguments.of("above it by buffers alone", of(10_000, 0, 0, 2_000), 0),
                Arguments.of("above it by more than buffers", of(10_000, 0, 0, 1_500), 500),
                Arguments.of("below it, and its kubelet defers", deferring(4_000, 300, 0, 0), 300),
                Arguments.of("what it defers is leaving", deferring(4_000, 300, 300, 0), 0),
                Arguments.of("what it defers is a buffer's", deferring(4_000, 300, 0, 300), 0));
    }

    private static PressureBalance of(long reserved, long capacity, long accounted, long buffer) {
        return new PressureBalance(
                both(reserved, 0), WATERMARK, both(capacity, 0), both(accounted, 0), both(buffer, 0), Resources.NONE);
    }

    private static PressureBalance deferring(long reserved, long deferred, long accounted, long buffer) {
        return new PressureBalance(
                both(reserved, 0),
                WATERMARK,
                both(deferred, 0),
                both(accounted, 0),
                both(buffer, 0),
                both(deferred, 0));
    }

    private static Resources both(long cpu, long memory) {
        return new Resources(cpu, memory);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("weighed")
    void reportsWhatIsNotAccountedFor(String name, PressureBalance balance, long excess) {
        assertThat(balance.excess()).isEqualTo(both(excess, 0));
        assertThat(balance.tooMuch()).isEqualTo(excess > 0);
    }

    @Test
    void memoryAtItsWatermarkIsNotClearWhileCpuIs() {
        var denied = both(500, 500);
        var cpuAt =
                new PressureBalance(both(8_000, 0), WATERMARK, denied, Resources.NONE, Resources.NONE, Resources.NONE);
        var memoryAt =
                new PressureBalance(both(0, 8_000), WATERMARK, denied, Resources.NONE, Resources.NONE, Resources.NONE);

        assertThat(cpuAt.tooMuch()).isFalse();
        assertThat(memoryAt.excess()).isEqualTo(both(0, 500));
    }

    @Test
    void aMarkGivesTheBufferBackAndAccountsForChargeAndPressure() {
        var before = new PressureBalance(cpu(10_000), cpu(8_000), cpu(1_000), Resources.NONE, cpu(400), Resources.NONE);
        var reservation =
                reservation("a", 3_000).buffer(cpu(400)).pressure(cpu(1_000)).ledger();

        var after = before.without(reservation);

        assertThat(after.reserved()).isEqualTo(cpu(9_600));
        assertThat(after.buffer()).isEqualTo(Resources.NONE);
        assertThat(after.accounted()).isEqualTo(cpu(2_600 + 1_000));
        assertThat(after.capacity()).as("it stays refused until it has left").isEqualTo(cpu(1_000));
        assertThat(before.excess()).isEqualTo(cpu(2_600));
        assertThat(after.excess()).isEqualTo(Resources.NONE);
    }

    @Test
    void whatIsSharedOutTwiceWeighsHalf() {
        var before = new PressureBalance(cpu(10_000), cpu(8_000), cpu(500), Resources.NONE, cpu(250), Resources.NONE);
        var reservation = reservation("a", 3_000)
                .overcommit(2_000)
                .buffer(cpu(500))
                .pressure(cpu(1_000))
                .ledger();

        var after = before.without(reservation);

        assertThat(after.reserved()).isEqualTo(cpu(9_750));
        assertThat(after.buffer()).isEqualTo(Resources.NONE);
        assertThat(after.accounted()).isEqualTo(cpu(1_250 + 500));
    }

    @Test
    void amountsAtTheEdgeDoNotWrap() {
        var huge = new Resources(Long.MAX_VALUE, 0);
        var balance = new PressureBalance(huge, Resources.NONE, huge, Resources.NONE, Resources.NONE, Resources.NONE);

        assertThat(balance.excess()).isEqualTo(huge);
    }
}
