package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.VM;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.begin;
import static io.sluice.billing.core.exact.ReportedCharges.collector;
import static io.sluice.billing.core.exact.ReportedCharges.due;
import static io.sluice.billing.core.exact.ReportedCharges.milliCpuNs;
import static io.sluice.billing.core.exact.ReportedCharges.observation;
import static io.sluice.billing.core.exact.ReportedCharges.only;
import static io.sluice.billing.core.exact.ReportedCharges.receiveUntil;
import static io.sluice.billing.core.exact.ReportedCharges.taken;
import static io.sluice.billing.core.exact.ReportedCharges.unbilled;
import static io.sluice.billing.core.exact.ReportedCharges.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Observations that are lost, arrive late, or were left in a checkpoint of a process that died. */
class MissedChangesTest {
    private final ExactCollector collector = collector();

    @Test
    void afterASilenceOnlyAFullListShowsWhatHasNotChanged() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 8);
        collector.tick(at(14));
        collector.watched("neonvm", at(15));
        assertThat(collector.missing())
                .as("observations of that time may have been lost on the bus")
                .contains(Gap.Cause.WATCH);

        collector.observed(observation(2, "ep", 4_000), at(16));
        begin(collector, 16);
        assertThat(collector.missing()).isEmpty();
        assertThat(taken(collector).gaps())
                .containsExactly(new Gap(new MeterKey(VM, "ep"), at(8), at(16), 1_000, Gap.Cause.WATCH));
    }

    @Test
    void aVmThatTheFullListAfterASilenceDoesNotNameIsGone() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 3);
        collector.tick(at(9));
        begin(collector, 12);

        assertThat(collector.metered()).isZero();
        var all = taken(collector);
        assertThat(only(all.charges()).stop()).isEqualTo(at(3));
        assertThat(all.gaps()).containsExactly(new Gap(new MeterKey(VM, "ep"), at(3), at(12), 1_000, Gap.Cause.WATCH));
    }

    /** The object has only its present state and the instant of its last change. */
    @Test
    void useThatBeganAndEndedInASilenceIsUnknownAlthoughTheVmIsThereBeforeAndAfter() {
        begin(collector, 0);
        collector.observed(unbilled(1, at(0)), at(0));
        receiveUntil(collector, 1, 3);
        collector.tick(at(9));
        collector.observed(unbilled(3, at(10)), at(12));
        begin(collector, 12);
        receiveUntil(collector, 13, 30);

        var all = taken(collector);
        assertThat(all.charges()).isEmpty();
        assertThat(all.gaps()).isEmpty();
    }

    /** A process that stopped for a minute receives what waited before its own timers. */
    @Test
    void whatIsReceivedFirstAfterAPauseIsNotTakenForReceivedInTime() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 8_000), at(0));
        receiveUntil(collector, 0, 0);
        collector.observed(sized(2, 1_000, 1), at(60));
        begin(collector, 61);
        receiveUntil(collector, 62, 75);

        var all = taken(collector);
        assertThat(all.gaps()).containsExactly(new Gap(new MeterKey(VM, "ep"), at(0), at(2), 8_000, Gap.Cause.WATCH));
        assertThat(all.charges())
                .extracting(UsageRecord::milliCpuNs)
                .containsExactly(milliCpuNs(22), milliCpuNs(24), milliCpuNs(24));
    }

    @Test
    void aDeletionAfterAPauseDoesNotBillThePause() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 8_000), at(0));
        receiveUntil(collector, 0, 10);
        collector.gone(VM, at(60));
        begin(collector, 61);

        var all = taken(collector);
        assertThat(only(all.charges()).stop()).isEqualTo(at(10));
        assertThat(all.gaps()).containsExactly(new Gap(new MeterKey(VM, "ep"), at(10), at(61), 8_000, Gap.Cause.WATCH));
    }

    @Test
    void aFullListAfterAPauseDoesNotEndThePause() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 8_000), at(0));
        receiveUntil(collector, 0, 10);
        collector.listed(at(60));

        assertThat(collector.missing()).contains(Gap.Cause.WATCH);
    }

    private static VmUse sized(long version, long milliCpu, double changedAt) {
        return new VmUse(VM, version, Optional.of(new VmUse.Use("ep", milliCpu)), at(changedAt));
    }

    @Test
    void anObservationThatComesAfterTheVmIsGoneBeginsNothing() {
        begin(collector, 0);
        collector.observed(observation(3, "ep", 1_000), at(0));
        collector.gone(VM, at(5));
        collector.observed(observation(2, "ep", 1_000), at(5.25));
        collector.observed(observation(3, "ep", 1_000), at(5.5));
        receiveUntil(collector, 6, 30);

        assertThat(collector.metered()).isZero();
        assertThat(only(due(collector)).stop()).isEqualTo(at(5));
    }

    @Test
    void anObservationThatComesAfterTheVmIsGoneBridgesNoSilence() {
        begin(collector, 0);
        collector.observed(observation(3, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 3);
        collector.tick(at(9));
        collector.gone(VM, at(10));
        collector.observed(observation(3, "ep", 1_000), at(10));
        begin(collector, 12);

        assertThat(collector.metered()).isZero();
        assertThat(only(due(collector)).stop()).isEqualTo(at(3));
    }

    @Test
    void aVmThatFullListsLeftOutIsTakenInAgainAsItWas() {
        begin(collector, 0);
        collector.observed(observation(3, "ep", 1_000), at(0));
        collector.listed(at(1));
        collector.listed(at(2));
        collector.listed(at(3));
        assertThat(collector.metered()).isZero();

        receiveUntil(collector, 4, 4);
        collector.observed(observation(3, "ep", 1_000), at(5));
        collector.gone(VM, at(7));
        assertThat(due(collector)).extracting(UsageRecord::start).containsExactly(at(0), at(5));
    }

    @Test
    void theEndOfAMeterStaysInTheCheckpointForAShortTime() {
        begin(collector, 0);
        collector.observed(observation(7, "ep", 1_000), at(0));
        collector.gone(VM, at(1));
        assertThat(taken(collector).changed()).containsEntry(VM, new MeterEntry.Ended(7, at(1)));
        receiveUntil(collector, 2, 27);
        assertThat(taken(collector).changed()).isEmpty();
        receiveUntil(collector, 28, 51);
        assertThat(taken(collector).changed()).containsEntry(VM, new MeterEntry.Forgotten());
    }

    @Test
    void chargesThatAreNotTakenForTooLongAreGivenUpAndCounted() {
        begin(collector, 0);
        collector.hold(true);
        for (int i = 0; i < DueRecords.MOST + 3; i++) {
            collector.observed(observation(vm(Integer.toString(i)), 1, "ep", 1_000), at(1));
            collector.gone(vm(Integer.toString(i)), at(2));
        }

        assertThat(due(collector)).hasSize(DueRecords.MOST);
        assertThat(collector.givenUp()).isEqualTo(3);
        var rest = taken(collector);
        assertThat(List.of(rest.charges(), rest.gaps())).allMatch(List::isEmpty);
    }
}
