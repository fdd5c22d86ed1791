package io.sluice.billing.core.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In any history of changes, silences, held usage records, kills and stops, billed use and gaps together are the
 * integral of use, and no instant of a VM is billed twice.
 */
class ExactHistoriesTest {
    private static final int STEPS = 4_000;
    private static final BigInteger COMPUTE_SECOND = BigInteger.valueOf(1_000_000_000_000L);
    private static final Instant T = Instant.parse("2026-03-01T00:00:07Z");

    private final Map<VmId, Truth> truths = new HashMap<>();
    private final List<UsageRecord> charges = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private Random random;
    private Instant now = T;
    private long version;
    private ExactCollector collector;
    private boolean watching = true;
    private final ReportedCharges.Kept kept = new ReportedCharges.Kept();
    private final List<Span> silences = new ArrayList<>();
    private Instant receivedUntil = T;

    /** What a VM really used, piece by piece. */
    private static final class Truth {
        private final List<Piece> pieces = new ArrayList<>();
        private Optional<VmUse.Use> use = Optional.empty();
        private Instant since = T;
        private long version;

        void changes(Optional<VmUse.Use> next, long newVersion, Instant at) {
            close(at);
            use = next;
            version = newVersion;
        }

        void close(Instant at) {
            use.ifPresent(known -> pieces.add(new Piece(known, since, at)));
            since = at;
        }

        BigInteger integral(Instant from, Instant to) {
            return pieces.stream().map(piece -> piece.within(from, to)).reduce(BigInteger.ZERO, BigInteger::add);
        }

        BigInteger integral(String endpoint, Instant from, Instant to) {
            return pieces.stream()
                    .filter(piece -> piece.use().endpoint().equals(endpoint))
                    .map(piece -> piece.within(from, to))
                    .reduce(BigInteger.ZERO, BigInteger::add);
        }
    }

    private record Piece(VmUse.Use use, Instant from, Instant to) {
        BigInteger within(Instant least, Instant most) {
            var first = from.isBefore(least) ? least : from;
            var last = to.isAfter(most) ? most : to;
            return first.isBefore(last)
                    ? BigInteger.valueOf(use.milliCpu())
                            .multiply(BigInteger.valueOf(
                                    Duration.between(first, last).toNanos()))
                    : BigInteger.ZERO;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 20261122})
    void billsTheIntegralOfUseAndReportsWhatItDoesNotBill(long seed) {
        random = new Random(seed);
        collector = new ExactCollector(options(), now);
        receiveAll();
        for (int step = 0; step < STEPS; step++) {
            now = now.plusNanos(random.nextLong(1, 3_000_000_000L));
            step();
        }
        watching = true;
        receiveAll();
        collector.flush(now);
        keepAll();
        truths.values().forEach(truth -> truth.close(now));

        assertThat(gaps).as("seed %d tries silences", seed).isNotEmpty();
        checkSums(seed);
        checkWindows(seed);
    }

    private static ExactCollector.Options options() {
        return new ExactCollector.Options(Duration.ofSeconds(24), Duration.ofSeconds(5));
    }

    private void step() {
        switch (random.nextInt(40)) {
            case 0 -> {
                watching = !watching;
                now = now.plusSeconds(6);
                collector.tick(now);
            }
            case 1 -> kill();
            case 2 -> stopCleanly();
            case 3 -> collector.hold(random.nextBoolean());
            case 13 -> {
                change();
                kill();
            }
            case 4, 5, 6, 7, 8, 9, 10, 11, 12 -> change();
            default -> {}
        }
        if (watching) {
            receiveAll();
        }
        collector.tick(now);
        if (random.nextBoolean()) {
            keep(true);
        }
    }

    private void change() {
        var vm = vm();
        var use = random.nextInt(6) == 0
                ? Optional.<VmUse.Use>empty()
                : Optional.of(new VmUse.Use("ep-" + random.nextInt(2), 250L * random.nextInt(9)));
        truths.computeIfAbsent(vm, id -> new Truth()).changes(use, ++version, now);
        if (watching) {
            collector.observed(observation(vm), now);
        }
    }

    private VmId vm() {
        int number = random.nextInt(4);
        return new VmId("neonvm", "default", "vm-" + number, "u-" + number);
    }

    private VmUse observation(VmId vm) {
        var truth = truths.get(vm);
        return new VmUse(vm, truth.version, truth.use, Instant.EPOCH);
    }

    /** Delivers what was missed before the proof that changes are received. */
    private void receiveAll() {
        if (collector.missing().isPresent()) {
            addSilence(receivedUntil);
        }
        truths.keySet().forEach(vm -> collector.observed(observation(vm), now));
        collector.listed(now);
        collector.watched("neonvm", now);
        receivedUntil = now;
    }

    /** Joins a silence with the one before it if they touch. */
    private void addSilence(Instant from) {
        boolean goesOn = !silences.isEmpty() && !silences.getLast().to().isBefore(from);
        silences.add(new Span(goesOn ? earlier(silences.removeLast().from(), from) : from, now));
    }

    /** Takes usage records, gaps and usage meters together or not at all, as an outbox does. */
    private void keep(boolean durable) {
        var portion = collector.take();
        if (durable) {
            charges.addAll(portion.charges());
            gaps.addAll(portion.gaps());
            kept.keep(portion);
        }
    }

    private void keepAll() {
        keep(true);
        while (collector.hasMore()) {
            keep(true);
        }
    }

    private void kill() {
        keep(random.nextBoolean());
        now = now.plusNanos(random.nextLong(60_000_000_000L));
        restart();
    }

    private void stopCleanly() {
        collector.flush(now);
        keepAll();
        restart();
    }

    private void restart() {
        collector = ExactCollector.resume(options(), kept.checkpoint(), now);
        receivedUntil = kept.receivedUntil;
    }

    private record Span(Instant from, Instant to) {
        boolean covers(Span other) {
            return !other.from.isBefore(from) && !other.to.isAfter(to);
        }
    }

    private void checkSums(long seed) {
        truths.forEach((vm, truth) -> {
            var total = BigInteger.ZERO;
            for (var endpoint : List.of("ep-0", "ep-1")) {
                var billed = charges.stream()
                        .filter(charge -> charge.key().equals(new MeterKey(vm, endpoint)))
                        .toList();
                billed.forEach(charge -> assertThat(charge.milliCpuNs())
                        .as("seed %d: %s", seed, charge)
                        .isEqualTo(truth.integral(endpoint, charge.start(), charge.stop())
                                .subtract(unknown(truth, endpoint, charge))));
                var exact = billed.stream().map(UsageRecord::milliCpuNs).reduce(BigInteger.ZERO, BigInteger::add);
                var values = COMPUTE_SECOND.multiply(BigInteger.valueOf(
                        billed.stream().mapToLong(UsageRecord::computeSeconds).sum()));
                assertThat(values.subtract(exact).abs())
                        .as("seed %d: within one unit for each window", seed)
                        .isLessThanOrEqualTo(COMPUTE_SECOND.multiply(BigInteger.valueOf(billed.size())));
                total = charges.stream()
                        .filter(charge -> charge.key().vm().equals(vm))
                        .map(charge -> unknown(truth, endpoint, charge))
                        .reduce(total, BigInteger::add);
                total = total.add(exact).add(notBilled(seed, vm, endpoint, truth));
            }
            assertThat(total).as("seed %d: %s", seed, vm).isEqualTo(truth.integral(T, now));
        });
    }

    /** Returns the use of an endpoint in gaps within a record. */
    private BigInteger unknown(Truth truth, String endpoint, UsageRecord charge) {
        return gaps.stream()
                .filter(gap -> gap.key().equals(charge.key()))
                .map(gap ->
                        truth.integral(endpoint, later(gap.from(), charge.start()), earlier(gap.to(), charge.stop())))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /**
     * Returns the use between two usage records. It must lie in silences, and VMs with a usage meter at their start
     * must have a gap.
     */
    private BigInteger notBilled(long seed, VmId vm, String endpoint, Truth truth) {
        var sum = BigInteger.ZERO;
        var until = T;
        for (var charge : charges) {
            if (charge.key().vm().equals(vm)) {
                sum = sum.add(hole(seed, vm, endpoint, truth, new Span(until, charge.start())));
                until = charge.stop();
            }
        }
        return sum.add(hole(seed, vm, endpoint, truth, new Span(until, now)));
    }

    private BigInteger hole(long seed, VmId vm, String endpoint, Truth truth, Span hole) {
        var sum = BigInteger.ZERO;
        for (var piece : truth.pieces) {
            var used = new Span(later(piece.from(), hole.from()), earlier(piece.to(), hole.to()));
            if (piece.use().endpoint().equals(endpoint)
                    && piece.use().milliCpu() > 0
                    && used.from().isBefore(used.to())) {
                assertThat(silences)
                        .as("seed %d: silences that cover %s, for which %s is not billed", seed, used, vm)
                        .filteredOn(silence -> silence.to().isAfter(used.from().minusSeconds(60))
                                && silence.from().isBefore(used.to().plusSeconds(60)))
                        .anyMatch(silence -> silence.covers(used));
                if (piece.from().isBefore(used.from())) {
                    var known = used.from();
                    for (var gap : gaps) {
                        boolean goesOn =
                                gap.key().vm().equals(vm) && !gap.from().isAfter(known);
                        known = goesOn ? later(known, gap.to()) : known;
                    }
                    assertThat(known)
                            .as("seed %d: %s was metered until %s", seed, vm, used)
                            .isAfterOrEqualTo(used.to());
                }
                sum = sum.add(piece.within(hole.from(), hole.to()));
            }
        }
        return sum;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private void checkWindows(long seed) {
        var keys = new HashSet<String>();
        var ends = new HashMap<VmId, Instant>();
        for (var charge : charges) {
            assertThat(keys.add(charge.key() + " " + charge.start()))
                    .as("seed %d: the key of %s is its own", seed, charge)
                    .isTrue();
            var before = ends.put(charge.key().vm(), charge.stop());
            assertThat(before == null || !charge.start().isBefore(before))
                    .as("seed %d: %s begins before %s", seed, charge, before)
                    .isTrue();
        }
    }
}
