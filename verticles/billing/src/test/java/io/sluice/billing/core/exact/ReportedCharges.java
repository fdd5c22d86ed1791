package io.sluice.billing.core.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What a collector is told in stories, by a clock in seconds since the beginning of a window. */
final class ReportedCharges {
    static final Duration WINDOW = Duration.ofSeconds(24);
    static final Duration STALE = Duration.ofSeconds(5);
    static final VmId VM = vm("1");
    static final Instant T = Instant.ofEpochSecond(24 * 50_000_000L);

    private ReportedCharges() {}

    static VmId vm(String number) {
        return new VmId("neonvm", "default", "db-" + number, "u-" + number);
    }

    static ExactCollector.Terms terms() {
        return terms(BillingPeers.NONE);
    }

    static ExactCollector.Terms terms(BillingPeers company) {
        return new ExactCollector.Terms(WINDOW, STALE, company);
    }

    /** What one left who billed alone. */
    static ExactCollector.Notes notes(List<UsageMeterState> meters, double heardUntil) {
        return new ExactCollector.Notes(meters, at(heardUntil), Optional.empty(), alone(at(heardUntil)), List.of());
    }

    /** One who billed alone until then. */
    static Predecessor alone(Instant until) {
        return Predecessor.of("", Set.of(), until);
    }

    /** One to whom all VMs are left. */
    static ExactCollector collector() {
        return new ExactCollector(terms(), T);
    }

    /** A VM that falls to one of two. */
    static VmId vmOf(String holder, String other) {
        return vmOf(holder, other, VM);
    }

    /** Another one than that. */
    static VmId vmOf(String holder, String other, VmId not) {
        return IntStream.iterate(1, number -> number + 1)
                .mapToObj(number -> vm(Integer.toString(number)))
                .filter(vm -> !vm.equals(not)
                        && BillingPeers.holder(vm, List.of(holder, other)).equals(holder))
                .findFirst()
                .orElseThrow();
    }

    static Instant at(double seconds) {
        return T.plusNanos((long) (seconds * 1e9));
    }

    static VmUse fact(long version, String endpoint, long milliCpu) {
        return fact(VM, version, endpoint, milliCpu);
    }

    static VmUse fact(VmId vm, long version, String endpoint, long milliCpu) {
        return new VmUse(vm, version, Optional.of(new VmUse.Use(endpoint, milliCpu)), Instant.EPOCH);
    }

    static VmUse unbilled(long version, Instant changedAt) {
        return new VmUse(VM, version, Optional.empty(), changedAt);
    }

    /** It hears everything from then on. */
    static void begin(ExactCollector collector, double seconds) {
        collector.tick(at(seconds));
        collector.listed(at(seconds));
        collector.watched(at(seconds));
    }

    static void hearUntil(ExactCollector collector, double from, double to) {
        for (double now = from; now <= to; now++) {
            collector.tick(at(now));
            collector.watched(at(now));
        }
    }

    /** All that is to become durable, as if nobody had to hold it. */
    static WindowCommit taken(ExactCollector collector) {
        var charges = new ArrayList<UsageRecord>();
        var gaps = new ArrayList<Gap>();
        var changed = new HashMap<VmId, Optional<UsageMeterState>>();
        var portion = collector.take();
        addTo(charges, gaps, changed, portion);
        while (collector.hasMore()) {
            portion = collector.take();
            addTo(charges, gaps, changed, portion);
        }
        return new WindowCommit(
                charges,
                gaps,
                changed,
                portion.doubts(),
                portion.heardUntil(),
                portion.windowStart(),
                portion.settled());
    }

    private static void addTo(
            List<UsageRecord> charges,
            List<Gap> gaps,
            Map<VmId, Optional<UsageMeterState>> changed,
            WindowCommit portion) {
        charges.addAll(portion.charges());
        gaps.addAll(portion.gaps());
        changed.putAll(portion.changed());
    }

    /** All that is to be billed. */
    static List<UsageRecord> due(ExactCollector collector) {
        return taken(collector).charges();
    }

    static UsageRecord only(List<UsageRecord> charges) {
        assertThat(charges).hasSize(1);
        return charges.getFirst();
    }

    static BigInteger milliCpuNs(double cpuSeconds) {
        return BigInteger.valueOf(Math.round(cpuSeconds * 1e12));
    }

    static BigInteger sum(List<UsageRecord> charges) {
        return charges.stream().map(UsageRecord::milliCpuNs).reduce(BigInteger.ZERO, BigInteger::add);
    }
}
