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

    static ExactCollector.Options options() {
        return new ExactCollector.Options(WINDOW, STALE);
    }

    /** Returns the checkpoint of a process. */
    static ExactCollector.Checkpoint records(List<UsageMeterState> meters, double receivedUntil) {
        return new ExactCollector.Checkpoint(meters, Map.of(), at(receivedUntil), Optional.empty());
    }

    /** Returns the usage meter that a commit has of a VM. */
    static UsageMeterState running(MeterEntry entry) {
        return ((MeterEntry.Running) entry).state();
    }

    /** What of commits is durable: the usage meters that run, and those that ended lately. */
    static final class Kept {
        final Map<VmId, UsageMeterState> meters = new HashMap<>();
        final Map<VmId, MeterEntry.Ended> ended = new HashMap<>();
        Instant receivedUntil = T;
        Optional<Instant> windowStart = Optional.empty();

        void keep(WindowCommit commit) {
            commit.changed().forEach((vm, entry) -> {
                meters.remove(vm);
                ended.remove(vm);
                switch (entry) {
                    case MeterEntry.Running(var state) -> meters.put(vm, state);
                    case MeterEntry.Ended end -> ended.put(vm, end);
                    case MeterEntry.Forgotten() -> {}
                }
            });
            receivedUntil = commit.receivedUntil().orElse(receivedUntil);
            windowStart = Optional.of(commit.windowStart());
        }

        ExactCollector.Checkpoint checkpoint() {
            return new ExactCollector.Checkpoint(
                    List.copyOf(meters.values()), Map.copyOf(ended), receivedUntil, windowStart);
        }
    }

    /** Returns a collector that bills all VMs. */
    static ExactCollector collector() {
        return new ExactCollector(options(), T);
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
        collector.watched("neonvm", at(seconds));
    }

    static void receiveUntil(ExactCollector collector, double from, double to) {
        for (double now = from; now <= to; now++) {
            collector.tick(at(now));
            collector.watched("neonvm", at(now));
        }
    }

    /** Returns all results in one commit. */
    static WindowCommit taken(ExactCollector collector) {
        var charges = new ArrayList<UsageRecord>();
        var gaps = new ArrayList<Gap>();
        var changed = new HashMap<VmId, MeterEntry>();
        var portion = collector.take();
        addTo(charges, gaps, changed, portion);
        while (collector.hasMore()) {
            portion = collector.take();
            addTo(charges, gaps, changed, portion);
        }
        return new WindowCommit(charges, gaps, changed, portion.receivedUntil(), portion.windowStart());
    }

    private static void addTo(
            List<UsageRecord> charges, List<Gap> gaps, Map<VmId, MeterEntry> changed, WindowCommit portion) {
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
