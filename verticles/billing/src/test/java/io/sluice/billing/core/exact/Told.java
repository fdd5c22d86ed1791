package io.sluice.billing.core.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Charge;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a collector is told in stories, by a clock in seconds since the beginning of a window. */
final class Told {
    static final Duration WINDOW = Duration.ofSeconds(24);
    static final Duration STALE = Duration.ofSeconds(5);
    static final VmId VM = vm("1");
    static final Instant T = Instant.ofEpochSecond(24 * 50_000_000L);

    private Told() {}

    static VmId vm(String number) {
        return new VmId("neonvm", "default", "db-" + number, "u-" + number);
    }

    static ExactCollector.Terms terms(Predicate<VmId> mine, boolean othersCameFirst) {
        return new ExactCollector.Terms(WINDOW, STALE, othersCameFirst, mine);
    }

    static ExactCollector collector(Predicate<VmId> mine) {
        return new ExactCollector(terms(mine, false), T);
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

    static Charge only(List<Charge> charges) {
        assertThat(charges).hasSize(1);
        return charges.getFirst();
    }

    static BigInteger milliCpuNs(double cpuSeconds) {
        return BigInteger.valueOf(Math.round(cpuSeconds * 1e12));
    }

    static BigInteger sum(List<Charge> charges) {
        return charges.stream().map(Charge::milliCpuNs).reduce(BigInteger.ZERO, BigInteger::add);
    }
}
