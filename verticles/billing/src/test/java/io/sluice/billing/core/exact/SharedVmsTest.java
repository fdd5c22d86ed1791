package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.T;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.begin;
import static io.sluice.billing.core.exact.ReportedCharges.due;
import static io.sluice.billing.core.exact.ReportedCharges.milliCpuNs;
import static io.sluice.billing.core.exact.ReportedCharges.observation;
import static io.sluice.billing.core.exact.ReportedCharges.only;
import static io.sluice.billing.core.exact.ReportedCharges.receiveUntil;
import static io.sluice.billing.core.exact.ReportedCharges.taken;
import static io.sluice.billing.core.exact.ReportedCharges.terms;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Processes that share VMs: one test for each rule of which process bills, and of what a later process leaves to the
 * others.
 */
class SharedVmsTest {
    private static final VmId ONES = ReportedCharges.vmOf("one", "two");
    private static final VmId TWOS = ReportedCharges.vmOf("two", "one");

    private List<String> here = List.of("one", "two");

    private BillingPeers peers(String self) {
        return new BillingPeers(self, true, () -> here);
    }

    private ExactCollector of(String self) {
        return new ExactCollector(terms(peers(self)), T);
    }

    /** Both processes were present long before. */
    private ExactCollector settled(String self) {
        var collector = of(self);
        begin(collector, 0);
        receiveUntil(collector, 1, 96);
        collector.observed(observation(ONES, 1, "ep", 1_100), at(96));
        collector.observed(observation(TWOS, 2, "ep", 1_100), at(96));
        return collector;
    }

    @Test
    void eachBillsWhatFallsToHim() {
        var one = settled("one");
        var two = settled("two");
        receiveUntil(one, 97, 123);
        receiveUntil(two, 97, 123);

        assertThat(only(due(one)).key()).isEqualTo(new MeterKey(ONES, "ep"));
        assertThat(only(due(two)).key()).isEqualTo(new MeterKey(TWOS, "ep"));
    }

    @Test
    void theProcessThatStaysBillsWhatTheOtherMayHaveLeftUndone() {
        var one = settled("one");
        var two = settled("two");
        receiveUntil(one, 97, 150);
        receiveUntil(two, 97, 150);
        var billed = due(one);
        assertThat(due(two)).extracting(charge -> charge.key().vm()).containsOnly(TWOS);

        here = List.of("two");
        receiveUntil(two, 151, 171);
        var again = due(two).stream()
                .filter(charge -> charge.key().vm().equals(ONES))
                .toList();
        assertThat(again.subList(0, 2)).as("a repeat, under the same keys").isEqualTo(billed);
        assertThat(again.getLast().start()).isEqualTo(at(144));
        assertThat(again.getLast().stop()).isEqualTo(at(168));
    }

    @Test
    void theProcessThatStaysBillsVmsThatEndedMeanwhileToo() {
        var two = settled("two");
        receiveUntil(two, 97, 105);
        two.gone(ONES, at(106));
        receiveUntil(two, 106, 110);
        assertThat(due(two)).isEmpty();

        here = List.of("two");
        receiveUntil(two, 111, 111);
        assertThat(only(due(two)).milliCpuNs()).isEqualTo(milliCpuNs(11));
    }

    @Test
    void theVmsOfANewProcessAreBilledByTheOthersUntilItSurelyHasBegun() {
        here = List.of("one");
        var one = settled("one");
        here = List.of("one", "two");
        receiveUntil(one, 97, 24 * 12 + 3);

        assertThat(due(one))
                .filteredOn(charge -> charge.key().vm().equals(TWOS))
                .extracting(UsageRecord::stop)
                .as("for a minute")
                .containsExactly(at(120), at(144));
    }

    @Test
    void aNewProcessLeavesTheWindowThatItMetInPartToTheEarlierOnes() {
        var two = of("two");
        two.observed(observation(TWOS, 1, "ep", 1_000), at(6));
        begin(two, 7);
        receiveUntil(two, 8, 75);

        var all = taken(two);
        assertThat(all.charges()).extracting(UsageRecord::start).containsExactly(at(24), at(48));
        assertThat(all.gaps()).isEmpty();
    }

    @Test
    void aNewProcessReportsThatWindowIfNoOtherIsLeftThatMeteredIt() {
        var two = of("two");
        two.observed(observation(ONES, 1, "ep", 1_000), at(6));
        begin(two, 7);
        receiveUntil(two, 8, 20);
        here = List.of("two");
        receiveUntil(two, 21, 51);

        var all = taken(two);
        assertThat(all.gaps())
                .containsExactly(new Gap(new MeterKey(ONES, "ep"), at(0), at(24), 1_000, Gap.Cause.RESTART));
        assertThat(only(all.charges()).start()).isEqualTo(at(24));
    }

    @Test
    void aProcessThatComesBackContinuesUnchangedVmsAndLeavesTheOthersTheRest() {
        var before = settled("two");
        receiveUntil(before, 97, 100);
        before.observed(observation(ReportedCharges.vm("new"), 3, "ep", 1_000), at(100));
        taken(before);
        var two = ExactCollector.resume(
                terms(peers("two")),
                new ExactCollector.Checkpoint(
                        before.meters(),
                        at(100),
                        Optional.empty(),
                        Predecessor.of("two", Set.of("one", "two"), at(100)),
                        List.of()),
                at(104));
        two.observed(observation(TWOS, 2, "ep", 1_100), at(105));
        two.observed(observation(ONES, 4, "ep", 2_000), at(105));
        begin(two, 105);
        here = List.of("two");
        receiveUntil(two, 106, 123);

        var all = taken(two);
        var due = all.charges();
        assertThat(only(due).key()).isEqualTo(new MeterKey(TWOS, "ep"));
        assertThat(only(due).milliCpuNs()).isEqualTo(milliCpuNs(24 * 1.1));
        assertThat(all.gaps())
                .extracting(Gap::key)
                .as("no process is left that observed those")
                .containsExactlyInAnyOrder(new MeterKey(ONES, "ep"), new MeterKey(ReportedCharges.vm("new"), "ep"));
    }

    /** No other process bills it: the others assume that this one did, and keep its records for a minute. */
    @Test
    void whatItMeteredWhileItsChargesWereNotTakenStaysItsWhenItsVmMoves() {
        var vm = ReportedCharges.vmOf("three", "one");
        var one = settled("one");
        one.observed(observation(vm, 3, "ep", 1_000), at(96));
        receiveUntil(one, 97, 99);
        due(one);
        one.hold(true);
        receiveUntil(one, 100, 300);
        here = List.of("one", "two", "three");
        receiveUntil(one, 301, 400);
        one.hold(false);
        receiveUntil(one, 401, 450);

        var charges =
                due(one).stream().filter(charge -> charge.key().vm().equals(vm)).toList();
        assertThat(charges.getFirst().start()).isEqualTo(at(96));
        assertThat(charges.getLast().stop())
                .as("it was assigned until 360, and the last window is the other process's")
                .isEqualTo(at(336));
        for (int i = 1; i < charges.size(); i++) {
            assertThat(charges.get(i).start()).isEqualTo(charges.get(i - 1).stop());
        }
    }

    /** In that time the others left its VMs to it, and after its end they billed the last minute only. */
    @Test
    void whatOneHadNotHandedOverBeforeItWasKilledIsReportedByTheNext() {
        var before = settled("two");
        receiveUntil(before, 97, 99);
        taken(before);
        var meters = before.meters();
        var two = ExactCollector.resume(
                terms(peers("two")),
                new ExactCollector.Checkpoint(
                        meters,
                        at(99),
                        Optional.of(at(72)),
                        Predecessor.of("two", Set.of("one", "two"), at(1_300)),
                        List.of()),
                at(1_311));
        two.observed(observation(TWOS, 2, "ep", 1_100), at(1_312));
        two.observed(observation(ONES, 1, "ep", 1_100), at(1_312));
        var late = ReportedCharges.vmOf("two", "one", TWOS);
        two.observed(observation(late, 7, "ep", 500), at(1_312));
        begin(two, 1_312);

        assertThat(taken(two).gaps())
                .containsExactlyInAnyOrder(
                        new Gap(new MeterKey(TWOS, "ep"), at(96), at(1_248), 1_100, Gap.Cause.RESTART),
                        new Gap(new MeterKey(late, "ep"), at(99), at(1_248), 500, Gap.Cause.RESTART));
    }

    /** It was away until 700, and what was before that was left to the others. */
    @Test
    void whatOneHadNotHandedOverIsReportedFromWhenItCameBack() {
        var before = settled("two");
        receiveUntil(before, 97, 99);
        taken(before);
        var two = ExactCollector.resume(
                terms(peers("two")),
                new ExactCollector.Checkpoint(
                        before.meters(),
                        at(99),
                        Optional.of(at(72)),
                        new Predecessor("two", List.of(new Predecessor.View(at(640), Set.of("one", "two"))), at(1_300)),
                        List.of()),
                at(1_311));
        two.observed(observation(TWOS, 2, "ep", 1_100), at(1_312));
        begin(two, 1_312);

        assertThat(taken(two).gaps()).extracting(Gap::from).containsExactly(at(640));
        assertThat(two.signOfLife(at(1_313)).views().getFirst().from()).isEqualTo(at(1_248));
    }

    /** The other process was away from 400 to 800, and had left at most a minute unbilled. */
    @Test
    void whatOneTookOverAndHadNotHandedOverIsReportedForThatTime() {
        var before = settled("two");
        receiveUntil(before, 97, 99);
        taken(before);
        var both = Set.of("one", "two");
        var views = List.of(
                new Predecessor.View(T, both),
                new Predecessor.View(at(400), Set.of("two")),
                new Predecessor.View(at(800), both));
        var two = ExactCollector.resume(
                terms(peers("two")),
                new ExactCollector.Checkpoint(
                        before.meters(),
                        at(99),
                        Optional.of(at(72)),
                        new Predecessor("two", views, at(1_300)),
                        List.of()),
                at(1_311));
        two.observed(observation(ONES, 1, "ep", 1_100), at(1_312));
        begin(two, 1_312);

        assertThat(taken(two).gaps())
                .filteredOn(gap -> gap.key().vm().equals(ONES))
                .containsExactly(new Gap(new MeterKey(ONES, "ep"), at(340), at(800), 1_100, Gap.Cause.RESTART));
    }

    @Test
    void aGapInASilenceIsReportedByTheProcessOfItsVm() {
        var one = settled("one");
        receiveUntil(one, 97, 99);
        one.tick(at(105));
        one.observed(observation(ONES, 3, "ep", 2_000), at(105));
        one.observed(observation(TWOS, 4, "ep", 2_000), at(105));
        begin(one, 106);

        var all = taken(one);
        assertThat(all.gaps())
                .as("the VM is metered again from an instant that is the same for all")
                .containsExactly(new Gap(new MeterKey(ONES, "ep"), at(99), at(120), 1_100, Gap.Cause.WATCH));
        assertThat(only(all.charges()).stop()).isEqualTo(at(99));
    }

    @Test
    void atAStopTheWindowIsLeftToTheOthersIfThereAreAnyOrWere() {
        var one = settled("one");
        receiveUntil(one, 97, 110);
        one.flush(at(110));
        here = List.of("one");
        receiveUntil(one, 111, 112);
        one.flush(at(112));
        assertThat(due(one)).extracting(UsageRecord::stop).doesNotContain(at(110), at(112));

        receiveUntil(one, 113, 178);
        due(one);
        one.flush(at(178));
        assertThat(due(one)).extracting(UsageRecord::stop).containsOnly(at(178));
    }
}
