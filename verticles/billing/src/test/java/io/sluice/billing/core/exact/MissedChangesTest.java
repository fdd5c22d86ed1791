package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.VM;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.begin;
import static io.sluice.billing.core.exact.ReportedCharges.collector;
import static io.sluice.billing.core.exact.ReportedCharges.due;
import static io.sluice.billing.core.exact.ReportedCharges.fact;
import static io.sluice.billing.core.exact.ReportedCharges.hearUntil;
import static io.sluice.billing.core.exact.ReportedCharges.only;
import static io.sluice.billing.core.exact.ReportedCharges.taken;
import static io.sluice.billing.core.exact.ReportedCharges.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is lost on the way, comes late, or is left by somebody who died. */
class MissedChangesTest {
    private final ExactCollector collector = collector();

    @Test
    void afterASilenceOnlyAListingTellsWhatHasNotChanged() {
        begin(collector, 0);
        collector.seen(fact(1, "ep", 1_000), at(0));
        hearUntil(collector, 1, 8);
        collector.tick(at(14));
        collector.watched(at(15));
        assertThat(collector.missing())
                .as("what was said meanwhile may have been lost on the bus")
                .contains(Gap.Cause.WATCH);

        collector.seen(fact(2, "ep", 4_000), at(16));
        begin(collector, 16);
        assertThat(collector.missing()).isEmpty();
        assertThat(taken(collector).gaps())
                .containsExactly(new Gap(new MeterKey(VM, "ep"), at(8), at(16), 1_000, Gap.Cause.WATCH));
    }

    @Test
    void aVmThatTheListingAfterASilenceDoesNotNameIsGone() {
        begin(collector, 0);
        collector.seen(fact(1, "ep", 1_000), at(0));
        hearUntil(collector, 1, 3);
        collector.tick(at(9));
        begin(collector, 12);

        assertThat(collector.metered()).isZero();
        var all = taken(collector);
        assertThat(only(all.charges()).stop()).isEqualTo(at(3));
        assertThat(all.gaps()).containsExactly(new Gap(new MeterKey(VM, "ep"), at(3), at(12), 1_000, Gap.Cause.WATCH));
    }

    @Test
    void aFactThatComesAfterTheVmIsGoneBeginsNothing() {
        begin(collector, 0);
        collector.seen(fact(3, "ep", 1_000), at(0));
        collector.gone(VM, at(5));
        collector.seen(fact(2, "ep", 1_000), at(5.25));
        collector.seen(fact(3, "ep", 1_000), at(5.5));
        hearUntil(collector, 6, 30);

        assertThat(collector.metered()).isZero();
        assertThat(only(due(collector)).stop()).isEqualTo(at(5));
    }

    @Test
    void aFactThatComesAfterTheVmIsGoneDoesNotBridgeASilence() {
        begin(collector, 0);
        collector.seen(fact(3, "ep", 1_000), at(0));
        hearUntil(collector, 1, 3);
        collector.tick(at(9));
        collector.gone(VM, at(10));
        collector.seen(fact(3, "ep", 1_000), at(10));
        begin(collector, 12);

        assertThat(collector.metered()).isZero();
        assertThat(only(due(collector)).stop()).isEqualTo(at(3));
    }

    @Test
    void aVmThatListingsLeftOutIsTakenInAgainAsItWas() {
        begin(collector, 0);
        collector.seen(fact(3, "ep", 1_000), at(0));
        collector.listed(at(1));
        collector.listed(at(2));
        collector.listed(at(3));
        assertThat(collector.metered()).isZero();

        collector.seen(fact(3, "ep", 1_000), at(5));
        collector.gone(VM, at(7));
        assertThat(due(collector)).extracting(UsageRecord::start).containsExactly(at(0), at(5));
    }

    @Test
    void aMeterThatEndedBeforeAnybodyKeptItLeavesNothingToRemove() {
        begin(collector, 0);
        collector.seen(fact(1, "ep", 1_000), at(0));
        collector.gone(VM, at(1));
        assertThat(taken(collector).changed()).isEmpty();

        collector.seen(fact(vm("2"), 2, "ep", 1_000), at(2));
        assertThat(taken(collector).changed()).containsOnlyKeys(vm("2"));
        collector.gone(vm("2"), at(3));
        collector.seen(fact(vm("3"), 3, "ep", 1_000), at(3));
        collector.gone(vm("3"), at(4));
        assertThat(taken(collector).changed()).containsOnlyKeys(vm("2"));
    }

    @Test
    void chargesThatNobodyTakesForTooLongAreGivenUpAndCounted() {
        begin(collector, 0);
        collector.hold(true);
        for (int i = 0; i < DueVms.DUE_MOST + 3; i++) {
            collector.seen(fact(vm(Integer.toString(i)), 1, "ep", 1_000), at(1));
            collector.gone(vm(Integer.toString(i)), at(2));
        }

        assertThat(due(collector)).hasSize(DueVms.DUE_MOST);
        assertThat(collector.givenUp()).isEqualTo(3);
        var rest = taken(collector);
        assertThat(List.of(rest.charges(), rest.gaps())).allMatch(List::isEmpty);
    }
}
