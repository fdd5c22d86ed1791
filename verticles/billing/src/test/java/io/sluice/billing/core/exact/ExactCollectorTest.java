package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.VM;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.begin;
import static io.sluice.billing.core.exact.ReportedCharges.collector;
import static io.sluice.billing.core.exact.ReportedCharges.due;
import static io.sluice.billing.core.exact.ReportedCharges.milliCpuNs;
import static io.sluice.billing.core.exact.ReportedCharges.observation;
import static io.sluice.billing.core.exact.ReportedCharges.only;
import static io.sluice.billing.core.exact.ReportedCharges.options;
import static io.sluice.billing.core.exact.ReportedCharges.receiveUntil;
import static io.sluice.billing.core.exact.ReportedCharges.records;
import static io.sluice.billing.core.exact.ReportedCharges.sum;
import static io.sluice.billing.core.exact.ReportedCharges.taken;
import static io.sluice.billing.core.exact.ReportedCharges.unbilled;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExactCollectorTest {
    private static final VmId OTHER = ReportedCharges.vm("2");

    private final ExactCollector collector = collector();

    @Test
    void billsEachPieceAtItsOwnSize() {
        begin(collector, 0);
        receiveUntil(collector, 1, 4);
        collector.observed(observation(1, "ep", 1_000), at(4));
        receiveUntil(collector, 5, 10);
        collector.observed(observation(2, "ep", 2_500), at(10));
        receiveUntil(collector, 11, 27);

        var charge = only(due(collector));
        assertThat(charge.key()).isEqualTo(new MeterKey(VM, "ep"));
        assertThat(charge.start()).isEqualTo(at(4));
        assertThat(charge.stop()).isEqualTo(at(24));
        assertThat(charge.milliCpuNs()).isEqualTo(milliCpuNs(6 + 14 * 2.5));
        assertThat(charge.computeSeconds()).isEqualTo(41);
        assertThat(charge.activeSeconds()).isEqualTo(20);
    }

    @Test
    void cutsAtMultiplesOfTheWindowWheneverTheyAreReported() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 23);
        collector.observed(observation(2, "ep", 3_000), at(24.25));
        receiveUntil(collector, 25, 26.9);
        assertThat(due(collector)).as("older changes may still arrive").isEmpty();
        collector.watched("neonvm", at(27));

        var charge = only(due(collector));
        assertThat(charge.stop()).isEqualTo(at(24));
        assertThat(charge.milliCpuNs()).isEqualTo(milliCpuNs(24));
        receiveUntil(collector, 28, 51);
        assertThat(only(due(collector)).milliCpuNs()).isEqualTo(milliCpuNs(0.25 + 23.75 * 3));
    }

    @Test
    void carriesWhatMakesNoWholeSecond() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 350), at(0));
        receiveUntil(collector, 1, 75);

        assertThat(due(collector)).extracting(UsageRecord::computeSeconds).containsExactly(8L, 8L, 9L);
    }

    @Test
    void aChangeOfEndpointIsCutWhereItIsRecorded() {
        begin(collector, 0);
        collector.observed(observation(1, "a", 1_000), at(0));
        receiveUntil(collector, 1, 11);
        collector.observed(new VmUse(VM, 2, Optional.of(new VmUse.Use("b", 1_000)), at(10)), at(11.5));
        receiveUntil(collector, 12, 27);

        var due = due(collector);
        assertThat(due).extracting(charge -> charge.key().endpoint()).containsExactly("a", "b");
        assertThat(due).extracting(UsageRecord::start).containsExactly(at(0), at(10));
        assertThat(due).extracting(UsageRecord::stop).containsExactly(at(10), at(24));
    }

    @Test
    void aDateOfAnotherClockIsNotTaken() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 10);
        collector.observed(unbilled(2, at(20)), at(10));
        assertThat(only(due(collector)).stop()).isEqualTo(at(10));

        collector.observed(new VmUse(VM, 3, Optional.of(new VmUse.Use("ep", 1_000)), at(2)), at(12));
        receiveUntil(collector, 13, 13);
        collector.gone(VM, at(14));
        var second = only(due(collector));
        assertThat(second.start()).isEqualTo(at(12));
        assertThat(second.stop()).isEqualTo(at(14));
    }

    @Test
    void twoStretchesOfOneWindowNeverOverlap() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 5);
        collector.gone(VM, at(5.75));
        due(collector);
        collector.observed(new VmUse(VM, 2, Optional.of(new VmUse.Use("ep", 1_000)), at(5)), at(6));
        collector.gone(VM, at(8));

        assertThat(only(due(collector)).start()).isEqualTo(at(5.75));
    }

    @Test
    void nothingIsBilledBeforeAFullList() {
        collector.observed(observation(1, "ep", 1_000), at(0));
        collector.watched("neonvm", at(1));
        assertThat(collector.missing()).contains(Gap.Cause.RESTART);

        collector.listed(at(3));
        collector.watched("neonvm", at(3));
        receiveUntil(collector, 4, 27);
        var all = taken(collector);
        assertThat(only(all.charges()).start()).isEqualTo(at(3));
        assertThat(all.gaps()).isEmpty();
    }

    @Test
    void whatAVmHadBeforeAnybodyBilledItIsNotGuessed() {
        collector.observed(new VmUse(VM, 1, Optional.of(new VmUse.Use("ep", 1_000)), at(1)), at(2.5));
        begin(collector, 2.5);
        collector.gone(VM, at(4));

        assertThat(only(due(collector)).start()).isEqualTo(at(2.5));
    }

    @Test
    void silenceIsBilledAfterwardsWhereTheVmHasNotChanged() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 8);
        collector.tick(at(40));
        assertThat(collector.missing()).contains(Gap.Cause.WATCH);
        assertThat(due(collector)).as("unknown use is not billed").isEmpty();

        collector.observed(observation(1, "ep", 1_000), at(59));
        begin(collector, 60);
        var all = taken(collector);
        assertThat(all.gaps()).isEmpty();
        assertThat(all.charges()).extracting(UsageRecord::stop).containsExactly(at(24), at(48));
    }

    @Test
    void silenceIsAGapWhereTheVmChanged() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 8);
        collector.tick(at(14));
        collector.observed(observation(2, "ep", 4_000), at(15));
        begin(collector, 16);
        receiveUntil(collector, 17, 27);

        var all = taken(collector);
        assertThat(all.gaps()).containsExactly(new Gap(new MeterKey(VM, "ep"), at(8), at(16), 1_000, Gap.Cause.WATCH));
        var due = all.charges();
        assertThat(only(due).start()).isEqualTo(at(0));
        assertThat(only(due).milliCpuNs()).isEqualTo(milliCpuNs(8 + 8 * 4));
    }

    @Test
    void aVmThatEndedInSilenceIsBilledUntilTheSilence() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 3);
        collector.tick(at(9));
        collector.gone(VM, at(12));
        begin(collector, 13);

        var all = taken(collector);
        assertThat(only(all.charges()).stop()).isEqualTo(at(3));
        assertThat(all.gaps()).extracting(Gap::length).containsExactly(Duration.ofSeconds(10));
    }

    @Test
    void whatTwoFullListsDoNotNameIsGone() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 4);
        collector.listed(at(5));
        collector.listed(at(6));
        assertThat(collector.meters()).hasSize(1);
        collector.listed(at(7));
        assertThat(collector.meters()).isEmpty();
        assertThat(only(due(collector)).stop()).isEqualTo(at(7));
    }

    @Test
    void goesOnAfterARestartAsIfItHadNotBeenAway() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_300), at(2));
        receiveUntil(collector, 3, 30);
        var before = due(collector);
        var next = ExactCollector.resume(options(), records(collector.meters(), 30), at(90));
        next.observed(observation(1, "ep", 1_300), at(91));
        begin(next, 91);

        var all = taken(next);
        assertThat(all.gaps()).isEmpty();
        var after = all.charges();
        assertThat(after.getFirst().start()).isEqualTo(before.getLast().stop());
        assertThat(after.getLast().stop()).isEqualTo(at(72));
        assertThat(sum(before).add(sum(after))).isEqualTo(milliCpuNs(70 * 1.3));
    }

    @Test
    void countsWhatIsNotKnownOfARestart() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        var next = ExactCollector.resume(options(), records(collector.meters(), 10), at(15));
        next.observed(observation(7, "ep", 2_000), at(16));
        begin(next, 16);

        receiveUntil(next, 17, 27);
        var all = taken(next);
        assertThat(only(all.charges()).milliCpuNs()).isEqualTo(milliCpuNs(10 + 8 * 2));
        assertThat(all.gaps())
                .containsExactly(new Gap(new MeterKey(VM, "ep"), at(10), at(16), 1_000, Gap.Cause.RESTART));
    }

    @Test
    void aWindowThatWasClosedIsNotClosedAgainAfterARestart() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 23);
        collector.observed(new VmUse(OTHER, 2, Optional.of(new VmUse.Use("ep", 500)), Instant.EPOCH), at(27.5));
        assertThat(only(due(collector)).stop()).isEqualTo(at(24));

        var next = ExactCollector.resume(options(), records(collector.meters(), 23), at(28));
        next.observed(observation(1, "ep", 1_000), at(29));
        begin(next, 29);
        receiveUntil(next, 30, 51);
        var again = due(next).stream()
                .filter(charge -> charge.key().vm().equals(VM))
                .toList();
        assertThat(only(again).start()).isEqualTo(at(24));
        assertThat(only(again).stop()).isEqualTo(at(48));
    }

    @Test
    void aChangeIsCutAtItsOwnTimeThoughItsWindowWasOverWhenItArrived() {
        begin(collector, 0);
        collector.observed(observation(1, "a", 900), at(0));
        receiveUntil(collector, 1, 24);
        collector.observed(observation(2, "a", 1_800), at(23.5));
        collector.observed(new VmUse(VM, 3, Optional.of(new VmUse.Use("b", 900)), at(23)), at(24.2));
        receiveUntil(collector, 25, 51);

        var due = due(collector);
        assertThat(due).extracting(charge -> charge.key().endpoint()).containsExactly("a", "b", "b");
        assertThat(due).extracting(UsageRecord::start).containsExactly(at(0), at(23), at(24));
        assertThat(due)
                .as("a size after the cut is not billed to the endpoint before it")
                .extracting(UsageRecord::milliCpuNs)
                .containsExactly(milliCpuNs(23 * 0.9), milliCpuNs(0.9), milliCpuNs(24 * 0.9));
    }

    @Test
    void noTwoChargesOfOneKeyBeginAtOneInstant() {
        begin(collector, 0);
        collector.observed(observation(1, "a", 900), at(0));
        receiveUntil(collector, 1, 24);
        collector.observed(new VmUse(VM, 2, Optional.of(new VmUse.Use("b", 900)), at(23)), at(24.2));
        collector.observed(new VmUse(VM, 3, Optional.of(new VmUse.Use("a", 900)), at(23)), at(24.3));
        receiveUntil(collector, 25, 51);

        assertThat(due(collector)).extracting(UsageRecord::start).containsExactly(at(0), at(23), at(24));
    }

    @Test
    void reportsAVmThatCameToBeBilledWhileNothingArrived() {
        var next = ExactCollector.resume(options(), records(List.of(), 10), at(15));
        next.observed(observation(7, "ep", 2_000), at(16));
        begin(next, 16);
        assertThat(taken(next).gaps())
                .containsExactly(new Gap(new MeterKey(VM, "ep"), at(10), at(16), 2_000, Gap.Cause.RESTART));

        next.observed(unbilled(8, Instant.EPOCH), at(17));
        next.watched("neonvm", at(18));
        next.tick(at(24));
        next.observed(observation(9, "ep", 500), at(25));
        next.listed(at(26));
        next.watched("neonvm", at(26));
        assertThat(taken(next).gaps())
                .containsExactly(new Gap(new MeterKey(VM, "ep"), at(18), at(26), 500, Gap.Cause.WATCH));
    }

    @Test
    void theRestOfTheWindowIsBilledAtTheEnd() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 700), at(0));
        collector.flush(at(9));
        var first = only(due(collector));
        assertThat(first.computeSeconds()).isEqualTo(6);

        var next = ExactCollector.resume(options(), records(collector.meters(), 9), at(11));
        next.observed(observation(1, "ep", 700), at(11));
        begin(next, 11);
        receiveUntil(next, 12, 27);
        var second = only(due(next));
        assertThat(second.start()).isEqualTo(first.stop());
        assertThat(first.computeSeconds() + second.computeSeconds()).isEqualTo(16);
    }

    @Test
    void windowsAreClosedLateWhileTheOutboxAcceptsNothing() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        collector.hold(true);
        receiveUntil(collector, 1, 60);
        collector.observed(observation(2, "ep", 2_000), at(60));
        assertThat(due(collector)).isEmpty();

        collector.hold(false);
        receiveUntil(collector, 61, 75);
        var due = due(collector);
        assertThat(due).extracting(UsageRecord::start).containsExactly(at(0), at(24), at(48));
        assertThat(due)
                .extracting(UsageRecord::milliCpuNs)
                .containsExactly(milliCpuNs(24), milliCpuNs(24), milliCpuNs(12 + 24));
    }

    @Test
    void aSizeCountsFromItsArrivalButNotLaterThanItsRecordedSecond() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 4);
        collector.observed(sized(2, 2_000, 4), at(4.25));
        receiveUntil(collector, 5, 12);
        collector.observed(sized(3, 3_000, 10), at(12.75));
        receiveUntil(collector, 13, 20);
        collector.observed(sized(4, 4_000, 10), at(20.5));
        receiveUntil(collector, 21, 27);

        var charge = only(due(collector));
        assertThat(charge.start()).as("sizes cut nothing").isEqualTo(at(0));
        assertThat(charge.milliCpuNs()).isEqualTo(milliCpuNs(4.25 + 6.75 * 2 + 9.5 * 3 + 3.5 * 4));
    }

    private static VmUse sized(long version, long milliCpu, double changedAt) {
        return new VmUse(VM, version, Optional.of(new VmUse.Use("ep", milliCpu)), at(changedAt));
    }

    @Test
    void aSilenceIsAGapUntilTheObjectsLastChange() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        receiveUntil(collector, 1, 8);
        collector.tick(at(30));
        collector.observed(sized(2, 4_000, 20), at(31));
        begin(collector, 31);
        receiveUntil(collector, 32, 51);

        var all = taken(collector);
        assertThat(all.gaps()).containsExactly(new Gap(new MeterKey(VM, "ep"), at(8), at(21), 1_000, Gap.Cause.WATCH));
        assertThat(all.charges()).extracting(UsageRecord::start).containsExactly(at(0), at(24));
        assertThat(all.charges())
                .as("a record lasts through a gap, so that its key is that of a process without one")
                .extracting(UsageRecord::milliCpuNs)
                .containsExactly(milliCpuNs(8 + 3 * 4), milliCpuNs(24 * 4));
    }

    @Test
    void reportsChangedMetersOnceSoThatTheyCanBeKept() {
        begin(collector, 0);
        collector.observed(observation(1, "ep", 1_000), at(0));
        assertThat(ReportedCharges.running(taken(collector).changed().get(VM)).milliCpu())
                .isEqualTo(1_000);
        receiveUntil(collector, 1, 20);
        assertThat(taken(collector).changed()).as("time alone changes none").isEmpty();
        collector.gone(VM, at(21));
        assertThat(taken(collector).changed()).containsEntry(VM, new MeterEntry.Ended(1, at(21)));
    }
}
