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

/** Helpers for tests of a collector, with times in seconds since the start of a window. */
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

    static ExactCollector.Terms terms(BillingPeers peers) {
        return new ExactCollector.Terms(WINDOW, STALE, peers);
    }

    /** Returns the checkpoint of a process that billed alone. */
    static ExactCollector.Checkpoint records(List<UsageMeterState> meters, double receivedUntil) {
        return new ExactCollector.Checkpoint(
                meters, at(receivedUntil), Optional.empty(), alone(at(receivedUntil)), List.of());
    }

    /** Returns a predecessor that billed alone until then. */
    static Predecessor alone(Instant until) {
        return Predecessor.of("", Set.of(), until);
    }

    /** Returns a collector that bills all VMs. */
    static ExactCollector collector() {
        return new ExactCollector(terms(), T);
    }

    /** Returns a VM that is assigned to {@code holder} rather than {@code other}. */
    static VmId vmOf(String holder, String other) {
        return vmOf(holder, other, VM);
    }

    /** Returns another VM than {@code not}. */
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

    static VmUse observation(long version, String endpoint, long milliCpu) {
        return observation(VM, version, endpoint, milliCpu);
    }

    static VmUse observation(VmId vm, long version, String endpoint, long milliCpu) {
        return new VmUse(vm, version, Optional.of(new VmUse.Use(endpoint, milliCpu)), Instant.EPOCH);
    }

    static VmUse unbilled(long version, Instant changedAt) {
        return new VmUse(VM, version, Optional.empty(), changedAt);
    }

    /** The collector receives everything from then on. */
    static void begin(ExactCollector collector, double seconds) {
        collector.tick(at(seconds));
        collector.listed(at(seconds));
        collector.watched(at(seconds));
    }

    static void receiveUntil(ExactCollector collector, double from, double to) {
        for (double now = from; now <= to; now++) {
            collector.tick(at(now));
            collector.watched(at(now));
        }
    }

    /** Returns all results in one commit. */
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
                portion.inheritedGaps(),
                portion.receivedUntil(),
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

    /** Returns all usage records that are due. */
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
