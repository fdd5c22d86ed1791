package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.VM;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.begin;
import static io.sluice.billing.core.exact.ReportedCharges.collector;
import static io.sluice.billing.core.exact.ReportedCharges.milliCpuNs;
import static io.sluice.billing.core.exact.ReportedCharges.receiveUntil;
import static io.sluice.billing.core.exact.ReportedCharges.taken;
import static io.sluice.billing.core.exact.ReportedCharges.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Changes that arrive a long time after they happened, although nothing shows a silence. */
class LateChangeTest {
    private static final VmId OTHER = vm("2");

    private final ExactCollector collector = collector();

    private static VmUse sized(VmId vm, long version, String endpoint, long milliCpu, double changedAt) {
        return new VmUse(vm, version, Optional.of(new VmUse.Use(endpoint, milliCpu)), at(changedAt));
    }

    private static VmUse ended(long version, double changedAt) {
        return new VmUse(VM, version, Optional.empty(), at(changedAt));
    }

    private static Gap gap(String endpoint, double from, double to, long milliCpu, Gap.Cause cause) {
        return new Gap(new MeterKey(VM, endpoint), at(from), at(to), milliCpu, cause);
    }

    /** A change that arrives in time shows that the clocks agree. */
    private void begins(long milliCpu) {
        begin(collector, 0);
        collector.observed(sized(VM, 1, "ep", milliCpu, 0), at(0.5));
        receiveUntil(collector, 1, 89);
        taken(collector);
    }

    private WindowCommit rest() {
        receiveUntil(collector, 91, 99);
        return taken(collector);
    }

    /** A watch that is half open for 90 s, or a message that is lost until the next full list. */
    @Test
    void aSizeCountsFromItsChangeAndClosedWindowsHaveALineWithTheDifference() {
        begins(8_000);
        collector.observed(sized(VM, 2, "ep", 1_000, 1), at(90));

        var all = rest();
        assertThat(all.gaps()).containsExactly(gap("ep", 2, 72, -7_000, Gap.Cause.LATE));
        assertThat(all.charges()).extracting(UsageRecord::milliCpuNs).containsExactly(milliCpuNs(24));
    }

    @Test
    void allVersionsOfABurstAreCorrected() {
        begins(8_000);
        collector.observed(sized(VM, 2, "ep", 1_000, 1), at(90));
        collector.observed(sized(VM, 3, "ep", 4_000, 9), at(90));
        receiveUntil(collector, 90, 99);
        collector.observed(sized(VM, 4, "ep", 2_000, 19), at(100));
        receiveUntil(collector, 100, 123);

        var all = taken(collector);
        assertThat(all.gaps())
                .containsExactly(
                        gap("ep", 2, 72, -7_000, Gap.Cause.LATE),
                        gap("ep", 10, 72, 3_000, Gap.Cause.LATE),
                        gap("ep", 20, 96, -2_000, Gap.Cause.LATE));
        assertThat(all.charges()).extracting(UsageRecord::milliCpuNs).containsExactly(milliCpuNs(96), milliCpuNs(48));
    }

    @Test
    void useThatBeganLongBeforeItArrivesHasALine() {
        begin(collector, 0);
        collector.observed(sized(OTHER, 1, "other", 1_000, 0), at(0.5));
        receiveUntil(collector, 1, 89);
        taken(collector);
        collector.observed(sized(VM, 2, "ep", 4_000, 1), at(90));

        var all = rest();
        assertThat(all.gaps()).containsExactly(gap("ep", 1, 72, 4_000, Gap.Cause.LATE));
        assertThat(all.charges())
                .filteredOn(charge -> charge.key().vm().equals(VM))
                .extracting(UsageRecord::start, UsageRecord::milliCpuNs)
                .containsExactly(tuple(at(72), milliCpuNs(24 * 4)));
    }

    @Test
    void useThatEndedLongBeforeItArrivesHasALine() {
        begins(4_000);
        collector.observed(ended(2, 1), at(90));

        var all = rest();
        assertThat(all.gaps()).containsExactly(gap("ep", 1, 72, -4_000, Gap.Cause.LATE));
        assertThat(all.charges()).isEmpty();
    }

    @Test
    void anEndpointThatChangedLongBeforeItArrivesHasTwoLines() {
        begins(4_000);
        collector.observed(sized(VM, 2, "b", 1_000, 1), at(90));

        var all = rest();
        assertThat(all.gaps())
                .containsExactly(gap("ep", 1, 72, -4_000, Gap.Cause.LATE), gap("b", 1, 72, 1_000, Gap.Cause.LATE));
        assertThat(all.charges()).extracting(UsageRecord::start).containsExactly(at(72));
    }

    @Test
    void aLateChangeWithinTheOpenWindowIsBilledExactly() {
        begins(8_000);
        collector.observed(sized(VM, 2, "ep", 1_000, 79), at(90));

        var all = rest();
        assertThat(all.gaps()).isEmpty();
        assertThat(all.charges()).extracting(UsageRecord::milliCpuNs).containsExactly(milliCpuNs(8 * 8 + 16));
    }

    /** Each change is as old as the clock that recorded it is behind. */
    @Test
    void aClockThatIsBehindMakesNoChangeLate() {
        begin(collector, 0);
        collector.observed(sized(VM, 1, "ep", 8_000, -40), at(0.5));
        receiveUntil(collector, 1, 49);
        collector.observed(sized(VM, 2, "ep", 1_000, 9), at(50));
        receiveUntil(collector, 51, 75);

        var all = taken(collector);
        assertThat(all.gaps()).isEmpty();
        assertThat(all.charges())
                .extracting(UsageRecord::milliCpuNs)
                .containsExactly(milliCpuNs(23.5 * 8), milliCpuNs(24 * 8), milliCpuNs(2 * 8 + 22));
    }

    @Test
    void aLateChangeByAClockThatIsBehindCountsByThisOne() {
        begin(collector, 0);
        collector.observed(sized(VM, 1, "ep", 8_000, -40), at(0));
        receiveUntil(collector, 1, 89);
        taken(collector);
        collector.observed(sized(VM, 2, "ep", 1_000, -39), at(90));

        assertThat(rest().gaps()).containsExactly(gap("ep", 2, 72, -7_000, Gap.Cause.LATE));
    }

    /** Kubernetes records no time where a field is only removed. */
    @Test
    void aChangeThatDoesNotRecordItsTimeCountsFromItsArrival() {
        begins(4_000);
        collector.observed(ended(2, 0), at(90));

        var all = rest();
        assertThat(all.gaps()).isEmpty();
        assertThat(all.charges()).extracting(UsageRecord::stop).containsExactly(at(90));
    }

    @Test
    void anUnknownTimeIsNotLate() {
        begins(8_000);
        collector.observed(new VmUse(VM, 2, Optional.of(new VmUse.Use("ep", 1_000)), Instant.EPOCH), at(90));

        assertThat(rest().gaps()).isEmpty();
    }

    @Test
    void endpointsOfABurstAreCorrected() {
        begins(4_000);
        collector.observed(sized(VM, 2, "b", 1_000, 1), at(90));
        collector.observed(ended(3, 21), at(90));
        collector.observed(sized(VM, 4, "ep", 4_000, 31), at(90));

        var all = rest();
        assertThat(all.gaps())
                .containsExactly(
                        gap("ep", 1, 72, -4_000, Gap.Cause.LATE),
                        gap("b", 1, 72, 1_000, Gap.Cause.LATE),
                        gap("b", 21, 72, -1_000, Gap.Cause.LATE),
                        gap("ep", 31, 72, 4_000, Gap.Cause.LATE));
        assertThat(all.charges()).extracting(UsageRecord::start).containsExactly(at(72));
    }

    /** A change is lost, and a silence begins before the full list that shows it. */
    @Test
    void aChangeOfBeforeASilenceMakesNoGapOfTheSilence() {
        begins(8_000);
        collector.tick(at(96));
        collector.observed(sized(VM, 2, "ep", 1_000, 50), at(100));
        begin(collector, 100);
        receiveUntil(collector, 101, 123);

        var all = taken(collector);
        assertThat(all.gaps()).containsExactly(gap("ep", 51, 72, -7_000, Gap.Cause.LATE));
        assertThat(all.charges()).extracting(UsageRecord::milliCpuNs).containsExactly(milliCpuNs(24), milliCpuNs(24));
    }

    @Test
    void anEndOfBeforeASilenceMakesNoGapOfTheSilence() {
        begins(8_000);
        collector.tick(at(96));
        collector.observed(ended(2, 50), at(100));
        begin(collector, 100);

        assertThat(taken(collector).gaps()).containsExactly(gap("ep", 50, 72, -8_000, Gap.Cause.LATE));
    }

    /** The size from which the difference is taken is the one since the gap. */
    @Test
    void aGapIsNotCorrectedAgain() {
        begin(collector, 0);
        collector.observed(sized(VM, 1, "ep", 8_000, 0), at(0.5));
        receiveUntil(collector, 1, 3);
        collector.tick(at(9));
        collector.observed(sized(VM, 2, "ep", 4_000, 11), at(13));
        begin(collector, 13);
        receiveUntil(collector, 14, 89);
        assertThat(taken(collector).gaps()).containsExactly(gap("ep", 3, 12, 8_000, Gap.Cause.WATCH));
        collector.observed(sized(VM, 3, "ep", 1_000, 12), at(90));

        assertThat(rest().gaps()).containsExactly(gap("ep", 13, 72, -3_000, Gap.Cause.LATE));
    }
}
