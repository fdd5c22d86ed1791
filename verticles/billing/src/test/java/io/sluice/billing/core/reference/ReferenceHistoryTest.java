package io.sluice.billing.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * For any samples the collector has the same result as a second computation that keeps every sample and adds up at the
 * end.
 */
class ReferenceHistoryTest {
    private static final Instant START = Instant.parse("2025-03-04T05:06:07Z");
    private static final int STEPS = 5_000;

    private record Observed(long ns, Map<MeterKey, Long> present) {}

    private final List<Observed> observed = new ArrayList<>();
    private long ns;
    private long windowStartNs;
    private int counted;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 20261121})
    void agreesWithAnAccountThatAddsUpAtTheEnd(long seed) {
        var random = new Random(seed);
        var collector = new ReferenceCollector(START);
        var keys = keys();
        int charged = 0;
        for (int i = 0; i < STEPS; i++) {
            ns += gap(random);
            if (random.nextInt(6) == 0) {
                var charges = collector.push(at(ns));
                assertThat(charges).as("seed %d step %d", seed, i).containsExactlyInAnyOrderElementsOf(expected());
                charged += charges.size();
                windowStartNs = ns;
                counted = observed.size();
            } else {
                var present = present(random, keys);
                collector.sample(at(ns), present);
                observed.add(new Observed(ns, present));
            }
        }
        assertThat(charged).isGreaterThan(STEPS / 10);
    }

    /** Adds up decimal seconds of all pairs of consecutive samples with the later one in the window. */
    private List<UsageRecord> expected() {
        Map<MeterKey, BigDecimal> computed = new HashMap<>();
        Map<MeterKey, Long> active = new HashMap<>();
        for (int later = Math.max(1, counted); later < observed.size(); later++) {
            var one = observed.get(later - 1);
            var other = observed.get(later);
            for (var key : both(one, other)) {
                long cpu = Math.min(one.present().get(key), other.present().get(key));
                long lasted = other.ns() - one.ns();
                var seconds = BigDecimal.valueOf(cpu, 3).multiply(BigDecimal.valueOf(lasted, 9));
                computed.merge(key, seconds, BigDecimal::add);
                active.merge(key, lasted, Long::sum);
            }
        }
        return computed.keySet().stream()
                .map(key -> charge(key, computed.get(key), active.get(key)))
                .toList();
    }

    private UsageRecord charge(MeterKey key, BigDecimal computed, long activeNs) {
        return new UsageRecord(
                key,
                at(windowStartNs),
                at(ns),
                computed.movePointRight(12).toBigIntegerExact(),
                activeNs,
                whole(computed),
                whole(BigDecimal.valueOf(activeNs, 9)));
    }

    private static long whole(BigDecimal seconds) {
        BigInteger rounded = seconds.setScale(0, RoundingMode.HALF_UP).toBigIntegerExact();
        return rounded.longValueExact();
    }

    private static Set<MeterKey> both(Observed one, Observed other) {
        var keys = new HashSet<>(one.present().keySet());
        keys.retainAll(other.present().keySet());
        return keys;
    }

    private static long gap(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextInt(3);
            case 2 -> 500_000_000L;
            case 3 -> 4_000_000_000L;
            default -> random.nextLong(120_000_000_000L);
        };
    }

    private static Map<MeterKey, Long> present(Random random, List<MeterKey> keys) {
        var present = new HashMap<MeterKey, Long>();
        for (var key : keys) {
            if (random.nextInt(5) > 0) {
                present.put(key, random.nextBoolean() ? 250L * random.nextInt(4) : random.nextLong(100_000));
            }
        }
        return present;
    }

    private static List<MeterKey> keys() {
        return List.of(key("u1", "ep-1"), key("u2", "ep-1"), key("u1", ""), key("u3", "ep-3"));
    }

    private static MeterKey key(String uid, String endpoint) {
        return new MeterKey(new VmId("neonvm", "ns", uid, uid), endpoint);
    }

    private static Instant at(long ns) {
        return START.plusNanos(ns);
    }
}
