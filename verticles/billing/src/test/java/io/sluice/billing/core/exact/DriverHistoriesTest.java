package io.sluice.billing.core.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * VMs of two drivers change. The watch on one of them breaks, changes of a VM are held back, and the process pauses and
 * then handles what waited. Each second of each VM is in one record or in a gap, at its size, or a line has the
 * difference.
 */
class DriverHistoriesTest {
    private static final List<String> DRIVERS = List.of("neonvm", "pod");
    private static final Instant T = ReportedCharges.T;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long LARGEST = 2_000;
    private static final int SECONDS = 3_000;

    private final Map<VmId, List<Piece>> lives = new LinkedHashMap<>();
    private final Map<VmId, VmUse> present = new LinkedHashMap<>();
    private final Map<VmId, Held> held = new LinkedHashMap<>();
    private final Map<String, Instant> brokenUntil = new LinkedHashMap<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final List<UsageRecord> records = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final ExactCollector collector = ReportedCharges.collector();
    private Random random;
    private Instant now = T;
    private Instant pausedUntil = T;
    private Instant listAt = T;
    private long version;

    /** A time in which a VM did not change. */
    private record Piece(Instant from, Instant to, Optional<VmUse.Use> use) {}

    /** Changes of a VM that a watch holds back. */
    private record Held(Instant until, List<VmUse> changes) {}

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("billing.histories", 60));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachSecondIsInOneRecordOrGapOrALineHasTheDifference(long seed) {
        random = new Random(seed);
        // Until a change arrived in time, nothing shows that the clocks agree.
        change();
        deliver();
        now = now.plus(SECOND);
        for (int second = 0; second < SECONDS; second++) {
            second();
        }
        brokenUntil.clear();
        for (int second = 0; second < 200; second++) {
            pausedUntil = now;
            deliver();
            now = now.plus(SECOND);
        }
        collector.flush(now.minus(SECOND));
        take();
        lives.values().forEach(pieces -> endLast(pieces, now));

        assertThat(gaps).as("seed %d", seed).extracting(Gap::cause).contains(Gap.Cause.WATCH);
        lives.forEach((vm, pieces) -> check(seed, vm, pieces));
    }

    private void second() {
        if (random.nextInt(3) == 0) {
            change();
        }
        if (random.nextInt(150) == 0 && !now.isBefore(pausedUntil)) {
            var driver = DRIVERS.get(random.nextInt(DRIVERS.size()));
            release(until -> true);
            brokenUntil.put(driver, now.plusSeconds(7 + random.nextInt(120)));
        }
        if (random.nextInt(15) == 0) {
            var vm = vm();
            if (!brokenUntil.containsKey(vm.driver())) {
                held.putIfAbsent(vm, new Held(now.plusSeconds(4 + random.nextInt(100)), new ArrayList<>()));
            }
        }
        if (random.nextInt(200) == 0 && brokenUntil.isEmpty()) {
            pausedUntil = now.plusSeconds(6 + random.nextInt(80));
        }
        deliver();
        now = now.plus(SECOND);
    }

    /** What a process that does not pause receives in this second; another receives it afterwards, before its timer. */
    private void deliver() {
        release(until -> !now.isBefore(until));
        var healed = DRIVERS.stream()
                .filter(driver -> Optional.ofNullable(brokenUntil.get(driver))
                        .filter(until -> !now.isBefore(until))
                        .isPresent())
                .toList();
        healed.forEach(brokenUntil::remove);
        if (!healed.isEmpty() || !now.isBefore(listAt)) {
            list();
        }
        DRIVERS.stream()
                .filter(driver -> !brokenUntil.containsKey(driver))
                .forEach(driver -> waiting.add(() -> collector.watched(driver, now)));
        if (!now.isBefore(pausedUntil)) {
            while (!waiting.isEmpty()) {
                waiting.poll().run();
            }
            collector.tick(now);
            if (collector.takeRelistWanted()) {
                listAt = now.plusSeconds(1);
            }
            take();
        }
    }

    /** What was held back arrives in order. Of several changes that are lost, only the last would ever be known. */
    private void release(Predicate<Instant> when) {
        held.entrySet().stream()
                .filter(entry -> when.test(entry.getValue().until()))
                .toList()
                .forEach(entry -> {
                    held.remove(entry.getKey());
                    entry.getValue().changes().forEach(this::publish);
                });
    }

    private void take() {
        do {
            var commit = collector.take();
            records.addAll(commit.charges());
            gaps.addAll(commit.gaps());
        } while (collector.hasMore());
    }

    private void list() {
        listAt = now.plusSeconds(60);
        release(until -> true);
        for (var vm : List.copyOf(present.values())) {
            waiting.add(() -> collector.observed(vm, now));
        }
        waiting.add(() -> collector.listed(now));
    }

    private VmId vm() {
        int number = random.nextInt(10);
        return new VmId(DRIVERS.get(number % 2), "default", "vm-" + number, "u-" + number);
    }

    private void change() {
        var vm = vm();
        var use = random.nextInt(5) == 0
                ? Optional.<VmUse.Use>empty()
                : Optional.of(new VmUse.Use("ep-" + random.nextInt(2), 250L * (1 + random.nextInt(8))));
        var pieces = lives.computeIfAbsent(vm, id -> new ArrayList<>());
        endLast(pieces, now);
        pieces.add(new Piece(now, Instant.MAX, use));
        var observation = new VmUse(vm, ++version, use, now.truncatedTo(ChronoUnit.SECONDS));
        present.put(vm, observation);
        var hold = held.get(vm);
        if (hold != null && hold.changes().isEmpty()) {
            hold.changes().add(observation);
        } else {
            release(until -> true);
            publish(observation);
        }
    }

    /** A broken watch loses changes. */
    private void publish(VmUse observation) {
        if (!brokenUntil.containsKey(observation.vm().driver())) {
            waiting.add(() -> collector.observed(observation, now));
        }
    }

    private static void endLast(List<Piece> pieces, Instant at) {
        if (!pieces.isEmpty()) {
            var last = pieces.removeLast();
            pieces.add(new Piece(last.from(), at, last.use()));
        }
    }

    private void check(long seed, VmId vm, List<Piece> pieces) {
        var mine =
                records.stream().filter(record -> record.key().vm().equals(vm)).toList();
        var missed = gaps.stream().filter(gap -> gap.key().vm().equals(vm)).toList();
        var unknown =
                missed.stream().filter(gap -> gap.cause() != Gap.Cause.LATE).toList();
        var late = missed.stream().filter(gap -> gap.cause() == Gap.Cause.LATE).toList();
        var keys = new HashSet<String>();
        assertThat(mine)
                .as("seed %d: no key of %s is sent twice", seed, vm)
                .allMatch(record -> keys.add(record.key().endpoint() + record.start()));
        for (int i = 1; i < mine.size(); i++) {
            assertThat(mine.get(i).start())
                    .as("seed %d: %s", seed, mine.get(i))
                    .isAfterOrEqualTo(mine.get(i - 1).stop());
        }
        mine.forEach(record -> checkAmount(seed, record, pieces, unknown, late));
        pieces.stream()
                .filter(piece -> piece.use().isPresent())
                .forEach(piece -> checkCover(seed, vm, piece, mine, missed));
    }

    /** A record with the lines for its time is what the VM used of its endpoint, without the gaps. */
    private static void checkAmount(
            long seed, UsageRecord record, List<Piece> pieces, List<Gap> unknown, List<Gap> late) {
        var had = BigInteger.ZERO;
        long changes = 1;
        for (var piece : pieces) {
            if (piece.use()
                    .filter(use -> use.endpoint().equals(record.key().endpoint()))
                    .isPresent()) {
                var from = later(piece.from(), record.start());
                var to = earlier(piece.to(), record.stop());
                had = had.add(amount(piece, from, to));
                changes += from.isBefore(to) ? 1 : 0;
                for (var gap : unknown) {
                    if (gap.key().vm().equals(record.key().vm())) {
                        had = had.subtract(amount(piece, later(gap.from(), from), earlier(gap.to(), to)));
                        changes += gap.from().isBefore(to) && from.isBefore(gap.to()) ? 1 : 0;
                    }
                }
            }
        }
        var billed = record.milliCpuNs();
        for (var line : late) {
            var from = later(line.from(), record.start());
            var to = earlier(line.to(), record.stop());
            if (line.key().equals(record.key()) && from.isBefore(to)) {
                billed = billed.add(BigInteger.valueOf(line.milliCpu())
                        .multiply(BigInteger.valueOf(Duration.between(from, to).toNanos())));
                changes++;
            }
        }
        assertThat(billed.subtract(had).abs())
                .as(
                        "seed %d: %s %s %s..%s billed %s is %s; %s",
                        seed,
                        record.key().vm().name(),
                        record.key().endpoint(),
                        Duration.between(T, record.start()).toSeconds(),
                        Duration.between(T, record.stop()).toSeconds(),
                        billed,
                        had,
                        around(record, pieces, unknown, late))
                .isLessThanOrEqualTo(BigInteger.valueOf(LARGEST * SECOND.toNanos() * changes));
    }

    private static String around(UsageRecord record, List<Piece> pieces, List<Gap> unknown, List<Gap> late) {
        var text = new StringBuilder();
        pieces.stream()
                .filter(it -> it.to().isAfter(record.start()) && it.from().isBefore(record.stop()))
                .forEach(it -> text.append(' ')
                        .append(Duration.between(T, it.from()).toSeconds())
                        .append(it.use()));
        Stream.concat(unknown.stream(), late.stream())
                .filter(it -> it.to().isAfter(record.start()) && it.from().isBefore(record.stop()))
                .forEach(it -> text.append(' ')
                        .append(it.cause())
                        .append(it.key().endpoint())
                        .append(' ')
                        .append(it.milliCpu())
                        .append(' ')
                        .append(Duration.between(T, it.from()).toSeconds())
                        .append("..")
                        .append(Duration.between(T, it.to()).toSeconds()));
        return text.toString();
    }

    private static BigInteger amount(Piece piece, Instant from, Instant to) {
        return from.isBefore(to)
                ? BigInteger.valueOf(piece.use().orElseThrow().milliCpu())
                        .multiply(BigInteger.valueOf(Duration.between(from, to).toNanos()))
                : BigInteger.ZERO;
    }

    /** Use that both began and ended while the watch was broken is unknown. */
    private static void checkCover(long seed, VmId vm, Piece piece, List<UsageRecord> records, List<Gap> unknown) {
        var known = Stream.concat(
                        records.stream().map(it -> new Piece(it.start(), it.stop(), Optional.empty())),
                        unknown.stream().map(it -> new Piece(it.from(), it.to(), Optional.empty())))
                .filter(it -> it.to().isAfter(piece.from()) && it.from().isBefore(piece.to()))
                .sorted(Comparator.comparing(Piece::from))
                .toList();
        var at = piece.from();
        for (var part : known) {
            assertThat(part.from())
                    .as("seed %d: %s had %s, neither billed nor a gap from %s on", seed, vm, piece, at)
                    .isBeforeOrEqualTo(at.plus(SECOND));
            at = later(at, part.to());
        }
        if (!known.isEmpty()) {
            assertThat(at)
                    .as("seed %d: %s had %s, neither billed nor a gap at its end", seed, vm, piece)
                    .isAfterOrEqualTo(piece.to().minus(SECOND));
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
