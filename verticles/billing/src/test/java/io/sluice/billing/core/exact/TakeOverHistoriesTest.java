package io.sluice.billing.core.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several processes that bill the same VMs, come, stop, are killed and hear nothing for a while: whoever keeps the
 * first charge of each key has each second of a VM once, and what he has not, he was told of.
 */
class TakeOverHistoriesTest {
    private static final long HISTORIES = Long.getLong("billing.histories", 24);

    /** Changes are recorded in whole seconds, and heard of a little later. */
    private static final Duration HEARD_AFTER = Duration.ofSeconds(1).plus(Town.DELAY_MOST);

    /** Nothing of a VM is larger, in milli-CPU. */
    private static final long LARGEST = 2_000;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, HISTORIES);
    }

    private record Span(Instant from, Instant to) {
        Duration length() {
            return from.isBefore(to) ? Duration.between(from, to) : Duration.ZERO;
        }

        /** What is left of it without another. */
        List<Span> without(Span other) {
            if (!other.from.isBefore(to) || !other.to.isAfter(from)) {
                return List.of(this);
            }
            var left = new ArrayList<Span>();
            if (from.isBefore(other.from)) {
                left.add(new Span(from, other.from));
            }
            if (other.to.isBefore(to)) {
                left.add(new Span(other.to, to));
            }
            return left;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneAfterTheOtherIsAwayAndNothingIsLost(long seed) {
        var random = new Random(seed);
        var town = new Town(random, 2 + (int) (seed % 2));
        town.begin();
        for (int i = 0; i < 12; i++) {
            town.live(100);
            var process = town.processes.get(random.nextInt(town.processes.size()));
            if (random.nextBoolean()) {
                process.kill();
            } else {
                process.stop();
            }
            town.live(1 + random.nextInt(40));
            process.start();
        }
        var until = town.close();

        town.lives.keySet().forEach(vm -> {
            checkOnce(seed, town, vm, until, Duration.ZERO);
            checkAmounts(seed, town, vm, until);
            assertThat(holes(town, vm, until)).as("seed %d: %s", seed, vm).isEmpty();
        });
        assertThat(town.gaps).as("seed %d", seed).isEmpty();
    }

    /** As when a sink is down for long, and others come and go meanwhile. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyTakesWhatOneHasForAWhileAndNothingIsLostInSilence(long seed) {
        var random = new Random(seed);
        var town = new Town(random, 2 + (int) (seed % 2));
        town.begin();
        town.live(100);
        var unwritten = new ArrayList<Span>();
        for (int i = 0; i < 6; i++) {
            var one = town.processes.get(i % 2);
            var written = town.now().minus(Town.HARVESTED_WITHIN);
            one.fill();
            town.live(20 + random.nextInt(150));
            if (random.nextBoolean()) {
                goAndComeBack(town, town.processes.get(1 - i % 2), 1 + random.nextInt(200));
            }
            town.live(random.nextInt(150));
            if (random.nextInt(3) == 0) {
                one.kill();
                unwritten.add(new Span(written, town.now()));
                town.live(5 + random.nextInt(40));
                one.hasRoom();
                one.start();
            }
            one.hasRoom();
            town.live(150);
        }
        var until = town.close();

        town.lives.keySet().forEach(vm -> {
            checkOnce(seed, town, vm, until, Duration.ZERO);
            checkAmounts(seed, town, vm, until);
            assertThat(holes(town, vm, until))
                    .as("seed %d: %s, beside what began when nothing could be written down", seed, vm)
                    .filteredOn(hole -> unwritten.stream().noneMatch(span -> beganIn(span, town, vm, hole)))
                    .isEmpty();
        });
        if (unwritten.isEmpty()) {
            assertThat(town.gaps).as("seed %d", seed).isEmpty();
        }
    }

    private static void goAndComeBack(Town town, Town.Process process, int seconds) {
        process.stop();
        town.live(seconds);
        process.start();
    }

    /** Whether a hole lies in a time at whose beginning it need not have been written down that the VM was billed. */
    private static boolean beganIn(Span span, Town town, VmId vm, Span hole) {
        var written = List.of(new Span(span.from(), span.from().plus(Town.HARVESTED_WITHIN)));
        return !hole.from().isBefore(span.from())
                && !hole.to().isAfter(span.to().plus(HEARD_AFTER))
                && !without(
                                written,
                                town.lives.get(vm).pieces.stream()
                                        .map(piece -> new Span(piece.from(), piece.to()))
                                        .toList())
                        .isEmpty();
    }

    private static List<Span> without(List<Span> spans, List<Span> others) {
        var left = spans;
        for (var other : others) {
            left = left.stream().flatMap(each -> each.without(other).stream()).toList();
        }
        return left;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whateverHappensNothingIsBilledTwiceNorLeftOutInSilence(long seed) {
        var random = new Random(seed);
        var town = new Town(random, 2 + (int) (seed % 2));
        town.begin();
        for (int i = 0; i < 60; i++) {
            town.live(random.nextInt(40));
            if (random.nextInt(8) == 0) {
                town.fallSilent(Duration.ofSeconds(8 + random.nextInt(40)));
            } else {
                disturb(town.processes.get(random.nextInt(town.processes.size())), random);
            }
        }
        var until = town.close();

        town.lives.keySet().forEach(vm -> {
            checkOnce(seed, town, vm, until, HEARD_AFTER);
            checkAmounts(seed, town, vm, until);
            assertThat(holes(town, vm, until))
                    .as("seed %d: %s, beside what nobody can have written down", seed, vm)
                    .filteredOn(hole -> hole.length().compareTo(HEARD_AFTER) > 0 && wasHeard(town, vm, hole))
                    .isEmpty();
        });
        assertThat(town.gaps).as("seed %d", seed).isNotEmpty();
    }

    private static void disturb(Town.Process process, Random random) {
        if (!process.isAlive()) {
            process.start();
        } else if (random.nextBoolean()) {
            process.kill();
        } else {
            process.stop();
        }
    }

    private static List<UsageRecord> chargesOf(Town town, VmId vm, Instant until) {
        return town.kept.values().stream()
                .filter(charge -> charge.key().vm().equals(vm) && charge.start().isBefore(until))
                .sorted(Comparator.comparing(UsageRecord::start))
                .toList();
    }

    /** Whoever is killed before he hears of a change has billed up to a second beyond where it is recorded. */
    private static void checkOnce(long seed, Town town, VmId vm, Instant until, Duration over) {
        var before = Town.T;
        for (var charge : chargesOf(town, vm, until)) {
            assertThat(charge.start())
                    .as("seed %d: what comes before %s", seed, charge)
                    .isAfterOrEqualTo(before.minus(over));
            before = charge.stop();
        }
    }

    /** Changes of size are heard a little late, and an end is recorded up to a second too early. */
    private static void checkAmounts(long seed, Town town, VmId vm, Instant until) {
        var pieces = town.lives.get(vm).pieces;
        for (var charge : chargesOf(town, vm, until)) {
            if (charge.stop().isAfter(until)) {
                continue;
            }
            var had = BigInteger.ZERO;
            long changes = 1;
            for (var piece : pieces) {
                var from = piece.from().isAfter(charge.start()) ? piece.from() : charge.start();
                var to = piece.to().isBefore(charge.stop()) ? piece.to() : charge.stop();
                if (from.isBefore(to)
                        && piece.use().endpoint().equals(charge.key().endpoint())) {
                    had = had.add(BigInteger.valueOf(piece.use().milliCpu())
                            .multiply(BigInteger.valueOf(
                                    Duration.between(from, to).toNanos())));
                    changes++;
                }
            }
            assertThat(charge.milliCpuNs().subtract(had).abs())
                    .as("seed %d: %s, which had %s", seed, charge, had)
                    .isLessThanOrEqualTo(BigInteger.valueOf(LARGEST)
                            .multiply(BigInteger.valueOf(HEARD_AFTER
                                    .plus(Town.DELAY_MOST.multipliedBy(changes))
                                    .toNanos())));
        }
    }

    /** What somebody was to be billed for, and is not, nor was told of; but for how late a VM's end is heard of. */
    private static List<Span> holes(Town town, VmId vm, Instant until) {
        var known = new ArrayList<Span>();
        chargesOf(town, vm, until).forEach(charge -> known.add(new Span(charge.start(), charge.stop())));
        town.gaps.stream()
                .filter(gap -> gap.key().vm().equals(vm))
                .forEach(gap -> known.add(new Span(gap.from(), gap.to())));
        var had = town.lives.get(vm).pieces.stream()
                .map(piece -> new Span(piece.from(), piece.to()))
                .toList();
        return without(had, known).stream()
                .filter(hole -> hole.length().compareTo(Town.DELAY_MOST) > 0)
                .toList();
    }

    /** Whether anybody can have written the VM down while it was billed to whom it was billed then. */
    private static boolean wasHeard(Town town, VmId vm, Span hole) {
        var pieces = town.lives.get(vm).pieces;
        int first = 0;
        while (pieces.get(first).to().isBefore(hole.to())) {
            first++;
        }
        int last = first;
        while (first > 0 && areOne(pieces.get(first - 1), pieces.get(first))) {
            first--;
        }
        while (last < pieces.size() - 1 && areOne(pieces.get(last), pieces.get(last + 1))) {
            last++;
        }
        var since = pieces.get(first).from().plus(HEARD_AFTER);
        var until = pieces.get(last).to();
        return since.isBefore(until) && !town.heard.subSet(since, until).isEmpty();
    }

    private static boolean areOne(Town.Piece one, Town.Piece next) {
        return one.to().equals(next.from())
                && one.use().endpoint().equals(next.use().endpoint());
    }
}
