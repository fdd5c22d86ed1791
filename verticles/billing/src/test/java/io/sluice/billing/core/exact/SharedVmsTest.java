package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.T;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.begin;
import static io.sluice.billing.core.exact.ReportedCharges.due;
import static io.sluice.billing.core.exact.ReportedCharges.fact;
import static io.sluice.billing.core.exact.ReportedCharges.hearUntil;
import static io.sluice.billing.core.exact.ReportedCharges.milliCpuNs;
import static io.sluice.billing.core.exact.ReportedCharges.only;
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
 * Several who share VMs: one story for each rule of who bills, and of what one who comes later leaves to the others.
 */
class SharedVmsTest {
    private static final VmId ONES = ReportedCharges.vmOf("one", "two");
    private static final VmId TWOS = ReportedCharges.vmOf("two", "one");

    private List<String> here = List.of("one", "two");

    private BillingPeers company(String self) {
        return new BillingPeers(self, true, () -> here);
    }

    private ExactCollector of(String self) {
        return new ExactCollector(terms(company(self)), T);
    }

    /** Both were there long before. */
    private ExactCollector settled(String self) {
        var collector = of(self);
        begin(collector, 0);
        hearUntil(collector, 1, 96);
        collector.seen(fact(ONES, 1, "ep", 1_100), at(96));
        collector.seen(fact(TWOS, 2, "ep", 1_100), at(96));
        return collector;
    }

    @Test
    void eachBillsWhatFallsToHim() {
        var one = settled("one");
        var two = settled("two");
        hearUntil(one, 97, 123);
        hearUntil(two, 97, 123);

        assertThat(only(due(one)).key()).isEqualTo(new MeterKey(ONES, "ep"));
        assertThat(only(due(two)).key()).isEqualTo(new MeterKey(TWOS, "ep"));
    }

    @Test
    void whoeverStaysBillsWhatTheOtherMayHaveLeftUndone() {
        var one = settled("one");
        var two = settled("two");
        hearUntil(one, 97, 150);
        hearUntil(two, 97, 150);
        var billed = due(one);
        assertThat(due(two)).extracting(charge -> charge.key().vm()).containsOnly(TWOS);

        here = List.of("two");
        hearUntil(two, 151, 171);
        var again = due(two).stream()
                .filter(charge -> charge.key().vm().equals(ONES))
                .toList();
        assertThat(again.subList(0, 2)).as("a repeat, under the same keys").isEqualTo(billed);
        assertThat(again.getLast().start()).isEqualTo(at(144));
        assertThat(again.getLast().stop()).isEqualTo(at(168));
    }

    @Test
    void whoeverStaysBillsVmsThatEndedMeanwhileToo() {
        var two = settled("two");
        hearUntil(two, 97, 105);
        two.gone(ONES, at(106));
        hearUntil(two, 106, 110);
        assertThat(due(two)).isEmpty();

        here = List.of("two");
        hearUntil(two, 111, 111);
        assertThat(only(due(two)).milliCpuNs()).isEqualTo(milliCpuNs(11));
    }

    @Test
    void aNewcomersVmsAreBilledByTheOthersUntilHeSurelyHasBegun() {
        here = List.of("one");
        var one = settled("one");
        here = List.of("one", "two");
        hearUntil(one, 97, 24 * 12 + 3);

        assertThat(due(one))
                .filteredOn(charge -> charge.key().vm().equals(TWOS))
                .extracting(UsageRecord::stop)
                .as("for a minute")
                .containsExactly(at(120), at(144));
    }

    @Test
    void aNewcomerLeavesTheWindowOfWhichHeSawAPartToThoseWhoWereThere() {
        var two = of("two");
        two.seen(fact(TWOS, 1, "ep", 1_000), at(6));
        begin(two, 7);
        hearUntil(two, 8, 75);

        var all = taken(two);
        assertThat(all.charges()).extracting(UsageRecord::start).containsExactly(at(24), at(48));
        assertThat(all.gaps()).isEmpty();
    }

    @Test
    void aNewcomerTellsOfThatWindowIfNobodyElseIsLeftWhoKnowsIt() {
        var two = of("two");
        two.seen(fact(ONES, 1, "ep", 1_000), at(6));
        begin(two, 7);
        hearUntil(two, 8, 20);
        here = List.of("two");
        hearUntil(two, 21, 51);

        var all = taken(two);
        assertThat(all.gaps())
                .containsExactly(new Gap(new MeterKey(ONES, "ep"), at(0), at(24), 1_000, Gap.Cause.RESTART));
        assertThat(only(all.charges()).start()).isEqualTo(at(24));
    }

    @Test
    void whoeverComesBackGoesOnWhereTheVmHasNotChangedAndLeavesTheRestToTheOthers() {
        var before = settled("two");
        hearUntil(before, 97, 100);
        before.seen(fact(ReportedCharges.vm("new"), 3, "ep", 1_000), at(100));
        taken(before);
        var two = ExactCollector.resume(
                terms(company("two")),
                new ExactCollector.Notes(
                        before.meters(),
                        at(100),
                        Optional.empty(),
                        Predecessor.of("two", Set.of("one", "two"), at(100)),
                        List.of()),
                at(104));
        two.seen(fact(TWOS, 2, "ep", 1_100), at(105));
        two.seen(fact(ONES, 4, "ep", 2_000), at(105));
        begin(two, 105);
        here = List.of("two");
        hearUntil(two, 106, 123);

        var all = taken(two);
        var due = all.charges();
        assertThat(only(due).key()).isEqualTo(new MeterKey(TWOS, "ep"));
        assertThat(only(due).milliCpuNs()).isEqualTo(milliCpuNs(24 * 1.1));
        assertThat(all.gaps())
                .extracting(Gap::key)
                .as("nobody is left who knows of those")
                .containsExactlyInAnyOrder(new MeterKey(ONES, "ep"), new MeterKey(ReportedCharges.vm("new"), "ep"));
    }

    /** Nobody else bills it: the others thought it did, and keep what they leave to it for a minute. */
    @Test
    void whatWasItsWhileNobodyTookItsChargesIsStillItsWhenTheVmHasFallenToAnother() {
        var vm = ReportedCharges.vmOf("three", "one");
        var one = settled("one");
        one.seen(fact(vm, 3, "ep", 1_000), at(96));
        hearUntil(one, 97, 99);
        due(one);
        one.hold(true);
        hearUntil(one, 100, 300);
        here = List.of("one", "two", "three");
        hearUntil(one, 301, 400);
        one.hold(false);
        hearUntil(one, 401, 450);

        var charges =
                due(one).stream().filter(charge -> charge.key().vm().equals(vm)).toList();
        assertThat(charges.getFirst().start()).isEqualTo(at(96));
        assertThat(charges.getLast().stop())
                .as("it was its until 360, and the last window is the other one's")
                .isEqualTo(at(336));
        for (int i = 1; i < charges.size(); i++) {
            assertThat(charges.get(i).start()).isEqualTo(charges.get(i - 1).stop());
        }
    }

    /** For that time the others left its VMs to it, and when it was gone billed the last minute only. */
    @Test
    void whatOneDidNotGetRidOfBeforeItWasKilledIsToldByTheNext() {
        var before = settled("two");
        hearUntil(before, 97, 99);
        taken(before);
        var meters = before.meters();
        var two = ExactCollector.resume(
                terms(company("two")),
                new ExactCollector.Notes(
                        meters,
                        at(99),
                        Optional.of(at(72)),
                        Predecessor.of("two", Set.of("one", "two"), at(1_300)),
                        List.of()),
                at(1_311));
        two.seen(fact(TWOS, 2, "ep", 1_100), at(1_312));
        two.seen(fact(ONES, 1, "ep", 1_100), at(1_312));
        var late = ReportedCharges.vmOf("two", "one", TWOS);
        two.seen(fact(late, 7, "ep", 500), at(1_312));
        begin(two, 1_312);

        assertThat(taken(two).gaps())
                .containsExactlyInAnyOrder(
                        new Gap(new MeterKey(TWOS, "ep"), at(96), at(1_248), 1_100, Gap.Cause.RESTART),
                        new Gap(new MeterKey(late, "ep"), at(99), at(1_248), 500, Gap.Cause.RESTART));
    }

    /** It was away until 700, and what was before that was left to the others. */
    @Test
    void whatOneDidNotGetRidOfIsToldFromWhenItCameBack() {
        var before = settled("two");
        hearUntil(before, 97, 99);
        taken(before);
        var two = ExactCollector.resume(
                terms(company("two")),
                new ExactCollector.Notes(
                        before.meters(),
                        at(99),
                        Optional.of(at(72)),
                        new Predecessor("two", List.of(new Predecessor.View(at(640), Set.of("one", "two"))), at(1_300)),
                        List.of()),
                at(1_311));
        two.seen(fact(TWOS, 2, "ep", 1_100), at(1_312));
        begin(two, 1_312);

        assertThat(taken(two).gaps()).extracting(Gap::from).containsExactly(at(640));
        assertThat(two.signOfLife(at(1_313)).views().getFirst().from()).isEqualTo(at(1_248));
    }

    /** The other one was away from 400 to 800, and had left a minute undone at most. */
    @Test
    void whatOneTookOverAndDidNotGetRidOfIsToldForThatTime() {
        var before = settled("two");
        hearUntil(before, 97, 99);
        taken(before);
        var both = Set.of("one", "two");
        var views = List.of(
                new Predecessor.View(T, both),
                new Predecessor.View(at(400), Set.of("two")),
                new Predecessor.View(at(800), both));
        var two = ExactCollector.resume(
                terms(company("two")),
                new ExactCollector.Notes(
                        before.meters(),
                        at(99),
                        Optional.of(at(72)),
                        new Predecessor("two", views, at(1_300)),
                        List.of()),
                at(1_311));
        two.seen(fact(ONES, 1, "ep", 1_100), at(1_312));
        begin(two, 1_312);

        assertThat(taken(two).gaps())
                .filteredOn(gap -> gap.key().vm().equals(ONES))
                .containsExactly(new Gap(new MeterKey(ONES, "ep"), at(340), at(800), 1_100, Gap.Cause.RESTART));
    }

    @Test
    void aGapInASilenceIsToldByWhoseVmItIs() {
        var one = settled("one");
        hearUntil(one, 97, 99);
        one.tick(at(105));
        one.seen(fact(ONES, 3, "ep", 2_000), at(105));
        one.seen(fact(TWOS, 4, "ep", 2_000), at(105));
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
        hearUntil(one, 97, 110);
        one.flush(at(110));
        here = List.of("one");
        hearUntil(one, 111, 112);
        one.flush(at(112));
        assertThat(due(one)).extracting(UsageRecord::stop).doesNotContain(at(110), at(112));

        hearUntil(one, 113, 178);
        due(one);
        one.flush(at(178));
        assertThat(due(one)).extracting(UsageRecord::stop).containsOnly(at(178));
    }
}
