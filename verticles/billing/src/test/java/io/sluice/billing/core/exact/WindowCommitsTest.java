package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.T;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.begin;
import static io.sluice.billing.core.exact.ReportedCharges.milliCpuNs;
import static io.sluice.billing.core.exact.ReportedCharges.observation;
import static io.sluice.billing.core.exact.ReportedCharges.options;
import static io.sluice.billing.core.exact.ReportedCharges.receiveUntil;
import static io.sluice.billing.core.exact.ReportedCharges.sum;
import static io.sluice.billing.core.exact.ReportedCharges.taken;
import static io.sluice.billing.core.exact.ReportedCharges.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.exact.ReportedCharges.Kept;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The results of many windows are commits of one window each, and a process that has only some of them continues from
 * there.
 */
class WindowCommitsTest {
    private static final int VMS = 3;
    private static final int WINDOWS = 7;

    /** The durable state. */
    private Kept kept = new Kept();

    private final List<UsageRecord> charges = new ArrayList<>();

    private static void list(ExactCollector collector, double seconds) {
        for (int i = 0; i < VMS; i++) {
            collector.observed(observation(vm(Integer.toString(i)), i + 1, "ep", 350), at(seconds));
        }
        begin(collector, seconds);
    }

    /**
     * Returns a collector that received some VMs, and then nothing until seven windows were over and the eighth was
     * open.
     */
    private ExactCollector silent() {
        var collector = new ExactCollector(options(), T);
        list(collector, 0);
        receiveUntil(collector, 1, 20);
        keep(collector.take());
        collector.tick(at(100));
        list(collector, 24 * WINDOWS + 5);
        return collector;
    }

    private void keep(WindowCommit portion) {
        charges.addAll(portion.charges());
        kept.keep(portion);
    }

    private void keepAll(ExactCollector collector) {
        do {
            keep(collector.take());
        } while (collector.hasMore());
    }

    private ExactCollector next(double now) {
        return ExactCollector.resume(options(), kept.checkpoint(), at(now));
    }

    @Test
    void ofManyWindowsEachIsOne() {
        var collector = silent();
        assertThat(collector.hasMore()).isTrue();
        for (int i = 1; i <= WINDOWS; i++) {
            var portion = collector.take();
            assertThat(portion.charges())
                    .hasSize(VMS)
                    .extracting(UsageRecord::stop)
                    .containsOnly(at(24 * i));
            assertThat(portion.windowStart()).isEqualTo(at(24 * i));
            assertThat(portion.changed().values())
                    .as("usage meters at the end of the window")
                    .extracting(state -> ReportedCharges.running(state).start())
                    .containsExactly(at(24 * i), at(24 * i), at(24 * i));
            keep(portion);
        }
        assertThat(collector.hasMore()).isFalse();
        assertThat(sum(charges)).isEqualTo(milliCpuNs(VMS * 24 * WINDOWS * 0.35));
    }

    /** The end of a history of which that many commits were durable when the process was killed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void aProcessThatHasOnlySomeContinuesFromThere(int durable) {
        charges.clear();
        var whole = silent();
        keepAll(whole);
        receiveUntil(whole, 24 * WINDOWS + 6, 24 * WINDOWS + 27);
        keepAll(whole);
        var undisturbed = List.copyOf(charges);

        charges.clear();
        kept = new Kept();
        var killed = silent();
        for (int i = 0; i < durable; i++) {
            keep(killed.take());
        }
        var next = next(24 * WINDOWS + 8);
        list(next, 24 * WINDOWS + 9);
        keepAll(next);
        receiveUntil(next, 24 * WINDOWS + 10, 24 * WINDOWS + 27);
        keepAll(next);

        assertThat(charges)
                .as("the same windows, so that other processes make the same keys")
                .containsExactlyInAnyOrderElementsOf(undisturbed);
    }

    /** A VM that changed while no process ran is billed for what was received, however much of it was durable. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7})
    void whatChangesAfterwardsIsCutWhereChangesArrivedLast(int durable) {
        var killed = silent();
        for (int i = 0; i < durable; i++) {
            keep(killed.take());
        }
        var next = next(24 * WINDOWS + 8);
        next.observed(observation(vm("0"), 10, "ep", 2_000), at(24 * WINDOWS + 9));
        list(next, 24 * WINDOWS + 9);
        var rest = taken(next);
        charges.addAll(rest.charges());

        assertThat(sum(charges)).isEqualTo(milliCpuNs(VMS * 24 * WINDOWS * 0.35));
        var open = next.meters().getFirst();
        assertThat(open.milliCpu()).as("within its window").isEqualTo(350);
        assertThat(open.start()).isEqualTo(at(24 * WINDOWS));
        assertThat(rest.gaps()).hasSize(1).first().satisfies(gap -> {
            assertThat(gap.from()).isEqualTo(at(24 * WINDOWS + 5));
            assertThat(gap.to()).isEqualTo(at(24 * WINDOWS + 9));
        });
    }

    @Test
    void windowsThatAreNotTakenAreClosedLateEachByItself() {
        var collector = new ExactCollector(options(), T);
        list(collector, 0);
        receiveUntil(collector, 1, 24 * 100 + 3);
        keepAll(collector);

        assertThat(charges)
                .hasSize(VMS * 100)
                .allSatisfy(charge ->
                        assertThat(charge.stop()).isEqualTo(charge.start().plus(ReportedCharges.WINDOW)));
        assertThat(sum(charges)).isEqualTo(milliCpuNs(VMS * 24 * 100 * 0.35));
    }

    @Test
    void ofTooManyLateWindowsTheEarliestAreOne() {
        var collector = new ExactCollector(options(), T);
        list(collector, 0);
        receiveUntil(collector, 1, 20);
        keepAll(collector);
        int windows = BillingWindows.LATE_MOST + 50;
        var next = next(30);
        list(next, 24 * windows + 5);
        keepAll(next);

        assertThat(charges).hasSize(VMS * BillingWindows.LATE_MOST);
        assertThat(charges.getFirst().stop()).isEqualTo(at(24 * 51));
        assertThat(sum(charges)).isEqualTo(milliCpuNs(VMS * 24 * windows * 0.35));
    }

    @Test
    void atTheEndTheRestOfTheWindowIsOneToo() {
        var collector = silent();
        collector.flush(at(24 * WINDOWS + 6));
        for (int i = 0; i <= WINDOWS; i++) {
            assertThat(collector.hasMore()).isTrue();
            var portion = collector.take();
            assertThat(portion.charges()).hasSize(VMS);
            keep(portion);
        }
        assertThat(collector.hasMore()).isFalse();
        assertThat(sum(charges)).isEqualTo(milliCpuNs(VMS * (24 * WINDOWS + 6) * 0.35));
    }
}
