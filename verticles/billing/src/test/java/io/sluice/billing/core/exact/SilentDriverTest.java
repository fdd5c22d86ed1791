package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.ReportedCharges.VM;
import static io.sluice.billing.core.exact.ReportedCharges.at;
import static io.sluice.billing.core.exact.ReportedCharges.collector;
import static io.sluice.billing.core.exact.ReportedCharges.milliCpuNs;
import static io.sluice.billing.core.exact.ReportedCharges.observation;
import static io.sluice.billing.core.exact.ReportedCharges.options;
import static io.sluice.billing.core.exact.ReportedCharges.taken;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The watch on one driver's VMs is broken, and those on others are not. */
class SilentDriverTest {
    private static final VmId POD = new VmId("pod", "default", "web", "u-web");

    private final ExactCollector collector = collector();

    private void begin(String... drivers) {
        collector.observed(observation(1, "ep", 8_000), at(0));
        collector.observed(observation(POD, 1, "pods", 500), at(0));
        collector.listed(at(0));
        watched(0, 0, drivers);
    }

    private void watched(double from, double to, String... drivers) {
        for (double now = from; now <= to; now++) {
            collector.tick(at(now));
            for (var driver : drivers) {
                collector.watched(driver, at(now));
            }
        }
    }

    @Test
    void theWatchOfOneDriverProvesNothingOfAnother() {
        begin("neonvm", "pod");
        watched(1, 10, "neonvm", "pod");
        watched(11, 60, "pod");
        assertThat(collector.missing()).contains(Gap.Cause.WATCH);
        assertThat(taken(collector).charges()).as("all windows wait").isEmpty();

        collector.observed(observation(2, "ep", 1_000), at(61));
        collector.observed(observation(POD, 1, "pods", 500), at(61));
        collector.listed(at(61));
        watched(61, 75, "neonvm", "pod");

        var all = taken(collector);
        assertThat(all.gaps()).containsExactly(new Gap(new MeterKey(VM, "ep"), at(10), at(61), 8_000, Gap.Cause.WATCH));
        assertThat(all.charges())
                .filteredOn(charge -> charge.key().vm().equals(VM))
                .extracting(UsageRecord::milliCpuNs)
                .containsExactly(milliCpuNs(80), milliCpuNs(11));
    }

    /** A bill is made again from its inputs, so its order is that of names in each process. */
    @Test
    void gapsOfDriversAreInTheOrderOfNames() {
        var vms = Stream.of("alder", "birch", "cedar", "elm", "fir", "hazel", "maple", "oak", "pine", "yew")
                .map(driver -> new VmId(driver, "default", "web", driver))
                .toList();
        vms.forEach(vm -> collector.observed(observation(vm, 1, "ep", 500), at(0)));
        collector.listed(at(0));
        vms.forEach(vm -> collector.watched(vm.driver(), at(0)));
        collector.tick(at(60));
        vms.forEach(vm -> collector.observed(observation(vm, 2, "ep", 1_000), at(61)));
        collector.listed(at(61));
        collector.received(at(62));

        assertThat(taken(collector).gaps()).extracting(gap -> gap.key().vm()).containsExactlyElementsOf(vms);
    }

    @Test
    void changesOfTheOthersCountWhileOneIsSilent() {
        begin("neonvm", "pod");
        watched(1, 10, "neonvm", "pod");
        watched(11, 20, "neonvm");
        collector.observed(observation(2, "ep", 1_000), at(20));
        collector.observed(observation(3, "ep", 2_000), at(22));
        watched(23, 30, "neonvm");
        collector.observed(observation(3, "ep", 2_000), at(31));
        collector.observed(observation(POD, 1, "pods", 500), at(31));
        collector.listed(at(31));
        watched(31, 51, "neonvm", "pod");

        var all = taken(collector);
        assertThat(all.gaps()).isEmpty();
        assertThat(all.charges())
                .extracting(UsageRecord::milliCpuNs)
                .containsExactly(milliCpuNs(8 * 20 + 2 + 2 * 2), milliCpuNs(12), milliCpuNs(24 * 2), milliCpuNs(12));
    }

    /** Pods are scaled no more, and nobody publishes that they are watched. */
    @Test
    void aSilentDriverWithoutAVmInAFullListDelaysNothing() {
        begin("neonvm", "pod");
        watched(1, 10, "neonvm", "pod");
        watched(11, 20, "neonvm");
        assertThat(collector.missing()).contains(Gap.Cause.WATCH);
        collector.observed(observation(1, "ep", 8_000), at(21));
        collector.listed(at(21));
        watched(21, 27, "neonvm");

        assertThat(collector.missing()).isEmpty();
        var all = taken(collector);
        assertThat(all.gaps())
                .containsExactly(new Gap(new MeterKey(POD, "pods"), at(10), at(21), 500, Gap.Cause.WATCH));
        assertThat(all.charges()).extracting(UsageRecord::stop).containsExactly(at(10), at(24));
    }

    @Test
    void aDriverWithoutAWatchCountsOnceItHasABilledVm() {
        collector.observed(observation(POD, 1, "pods", 500), at(0));
        collector.listed(at(0));
        watched(0, 27, "neonvm");
        assertThat(collector.missing()).contains(Gap.Cause.RESTART);
        assertThat(taken(collector).charges()).isEmpty();
    }

    /** Nothing publishes that instances of workers are watched. */
    @Test
    void aDriverWithoutBilledVmsDoesNotCount() {
        var worker = new VmId("worker", "default", "job", "u-job");
        collector.observed(new VmUse(worker, 1, Optional.empty(), Instant.EPOCH), at(0));
        begin("neonvm", "pod");
        watched(1, 27, "neonvm", "pod");

        assertThat(collector.missing()).isEmpty();
        assertThat(taken(collector).charges()).hasSize(2);
    }

    @Test
    void theWatchOnADriverBeginsLongAfterAFullList() {
        collector.observed(observation(1, "ep", 8_000), at(0));
        collector.listed(at(0));
        watched(0, 30, "neonvm");
        assertThat(collector.takeRelistWanted()).isFalse();
        watched(31, 31, "neonvm", "pod");
        assertThat(collector.takeRelistWanted()).isTrue();
        collector.observed(observation(1, "ep", 8_000), at(32));
        collector.observed(observation(POD, 1, "pods", 500), at(32));
        collector.listed(at(32));
        watched(32, 51, "neonvm", "pod");

        var all = taken(collector);
        assertThat(all.gaps()).isEmpty();
        assertThat(all.charges()).extracting(UsageRecord::start).containsExactly(at(0), at(24), at(32));
    }

    /** The process before it was killed while the watch on pods was broken. */
    @Test
    void aNewProcessWaitsForTheDriversOfItsCheckpoint() {
        begin("neonvm", "pod");
        watched(1, 10, "neonvm", "pod");
        watched(11, 20, "neonvm");
        var checkpoint = ReportedCharges.records(collector.meters(), 10);
        var next = ExactCollector.resume(options(), checkpoint, at(30));
        next.observed(observation(1, "ep", 8_000), at(31));
        next.observed(observation(POD, 2, "pods", 1_000), at(31));
        next.listed(at(31));
        next.watched("neonvm", at(31));
        assertThat(next.missing()).contains(Gap.Cause.RESTART);
        next.watched("pod", at(32));

        assertThat(next.missing()).isEmpty();
        var all = taken(next);
        assertThat(all.gaps())
                .containsExactly(new Gap(new MeterKey(POD, "pods"), at(10), at(32), 500, Gap.Cause.RESTART));
        assertThat(all.charges()).hasSize(2);
    }

    @Test
    void aProcessThatStandsByHandsOverNothingThatItMayHaveMissed() {
        var log = new ChangeLog(ReportedCharges.STALE);
        log.observed(observation(1, "ep", 8_000), at(0));
        log.observed(observation(POD, 1, "pods", 500), at(0));
        log.listed(at(0));
        for (double now = 0; now <= 20; now++) {
            log.watched("neonvm", at(now));
            if (now < 8) {
                log.watched("pod", at(now));
            }
        }
        assertThat(log.missing()).contains(Gap.Cause.WATCH);
        var leading = log.lead(options(), Optional.of(ReportedCharges.records(List.of(), 19)), at(20));

        assertThat(leading.missing()).contains(Gap.Cause.RESTART);
        assertThat(leading.takeRelistWanted()).isTrue();
    }
}
