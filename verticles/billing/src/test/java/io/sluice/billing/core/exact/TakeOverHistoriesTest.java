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
 * Several processes bill the same VMs, come, stop, are killed and receive nothing for a while. A receiver that keeps
 * the first record of each key has each second of a VM once, or a gap for it.
 */
class TakeOverHistoriesTest {
    private static final long HISTORIES = Long.getLong("billing.histories", 24);

    /** Changes are recorded in whole seconds, and received a little later. */
    private static final Duration RECEIVED_AFTER = Duration.ofSeconds(1).plus(BillingWorld.DELAY_MOST);

    /** The largest size of a VM, in milli-CPU. */
    private static final long LARGEST = 2_000;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, HISTORIES);
    }

    private record Span(Instant from, Instant to) {
        Duration length() {
            return from.isBefore(to) ? Duration.between(from, to) : Duration.ZERO;
        }

        /** Returns what is left of it without the other. */
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
        var world = new BillingWorld(random, 2 + (int) (seed % 2));
        world.begin();
        for (int i = 0; i < 12; i++) {
            world.live(100);
            var process = world.processes.get(random.nextInt(world.processes.size()));
            if (random.nextBoolean()) {
                process.kill();
            } else {
                process.stop();
            }
            world.live(1 + random.nextInt(40));
            process.start();
        }
        var until = world.close();

        world.lives.keySet().forEach(vm -> {
            checkOnce(seed, world, vm, until, Duration.ZERO);
            checkAmounts(seed, world, vm, until);
            assertThat(holes(world, vm, until)).as("seed %d: %s", seed, vm).isEmpty();
        });
        assertThat(world.gaps).as("seed %d", seed).isEmpty();
    }

    /** As when a sink is down for long, and other processes come and go meanwhile. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatOneHasIsNotTakenForAWhileAndNothingIsLostInSilence(long seed) {
        var random = new Random(seed);
        var world = new BillingWorld(random, 2 + (int) (seed % 2));
        world.begin();
        world.live(100);
        var unwritten = new ArrayList<Span>();
        for (int i = 0; i < 6; i++) {
            var one = world.processes.get(i % 2);
            var written = world.now().minus(BillingWorld.HARVESTED_WITHIN);
            one.fill();
            world.live(20 + random.nextInt(150));
            if (random.nextBoolean()) {
                goAndComeBack(world, world.processes.get(1 - i % 2), 1 + random.nextInt(200));
            }
            world.live(random.nextInt(150));
            if (random.nextInt(3) == 0) {
                one.kill();
                unwritten.add(new Span(written, world.now()));
                world.live(5 + random.nextInt(40));
                one.hasRoom();
                one.start();
            }
            one.hasRoom();
            world.live(150);
        }
        var until = world.close();

        world.lives.keySet().forEach(vm -> {
            checkOnce(seed, world, vm, until, Duration.ZERO);
            checkAmounts(seed, world, vm, until);
            assertThat(holes(world, vm, until))
                    .as("seed %d: %s, except use that began when no checkpoint could be written", seed, vm)
                    .filteredOn(hole -> unwritten.stream().noneMatch(span -> beganIn(span, world, vm, hole)))
                    .isEmpty();
        });
        if (unwritten.isEmpty()) {
            assertThat(world.gaps).as("seed %d", seed).isEmpty();
        }
    }

    private static void goAndComeBack(BillingWorld world, BillingWorld.Process process, int seconds) {
        process.stop();
        world.live(seconds);
        process.start();
    }

    /** Whether a hole lies in a time that need not be in any checkpoint at its beginning. */
    private static boolean beganIn(Span span, BillingWorld world, VmId vm, Span hole) {
        var written = List.of(new Span(span.from(), span.from().plus(BillingWorld.HARVESTED_WITHIN)));
        return !hole.from().isBefore(span.from())
                && !hole.to().isAfter(span.to().plus(RECEIVED_AFTER))
                && !without(
                                written,
                                world.lives.get(vm).pieces.stream()
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
        var world = new BillingWorld(random, 2 + (int) (seed % 2));
        world.begin();
        for (int i = 0; i < 60; i++) {
            world.live(random.nextInt(40));
            if (random.nextInt(8) == 0) {
                world.fallSilent(Duration.ofSeconds(8 + random.nextInt(40)));
            } else {
                disturb(world.processes.get(random.nextInt(world.processes.size())), random);
            }
        }
        var until = world.close();

        world.lives.keySet().forEach(vm -> {
            checkOnce(seed, world, vm, until, RECEIVED_AFTER);
            checkAmounts(seed, world, vm, until);
            assertThat(holes(world, vm, until))
                    .as("seed %d: %s, except use that cannot be in any checkpoint", seed, vm)
                    .filteredOn(hole -> hole.length().compareTo(RECEIVED_AFTER) > 0 && wasReceived(world, vm, hole))
                    .isEmpty();
        });
        assertThat(world.gaps).as("seed %d", seed).isNotEmpty();
    }

    private static void disturb(BillingWorld.Process process, Random random) {
        if (!process.isAlive()) {
            process.start();
        } else if (random.nextBoolean()) {
            process.kill();
        } else {
            process.stop();
        }
    }

    private static List<UsageRecord> chargesOf(BillingWorld world, VmId vm, Instant until) {
        return world.kept.values().stream()
                .filter(charge -> charge.key().vm().equals(vm) && charge.start().isBefore(until))
                .sorted(Comparator.comparing(UsageRecord::start))
                .toList();
    }

    /** A process that is killed before it receives a change has billed up to a second beyond the recorded time. */
    private static void checkOnce(long seed, BillingWorld world, VmId vm, Instant until, Duration over) {
        var before = BillingWorld.T;
        for (var charge : chargesOf(world, vm, until)) {
            assertThat(charge.start())
                    .as("seed %d: what comes before %s", seed, charge)
                    .isAfterOrEqualTo(before.minus(over));
            before = charge.stop();
        }
    }

    /** Changes of size are received a little late, and an end is recorded up to a second too early. */
    private static void checkAmounts(long seed, BillingWorld world, VmId vm, Instant until) {
        var pieces = world.lives.get(vm).pieces;
        for (var charge : chargesOf(world, vm, until)) {
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
                            .multiply(BigInteger.valueOf(RECEIVED_AFTER
                                    .plus(BillingWorld.DELAY_MOST.multipliedBy(changes))
                                    .toNanos())));
        }
    }

    /**
     * Returns the use that is neither billed nor reported as a gap, except for the delay with which a VM's end is
     * received.
     */
    private static List<Span> holes(BillingWorld world, VmId vm, Instant until) {
        var known = new ArrayList<Span>();
        chargesOf(world, vm, until).forEach(charge -> known.add(new Span(charge.start(), charge.stop())));
        world.gaps.stream()
                .filter(gap -> gap.key().vm().equals(vm))
                .forEach(gap -> known.add(new Span(gap.from(), gap.to())));
        var had = world.lives.get(vm).pieces.stream()
                .map(piece -> new Span(piece.from(), piece.to()))
                .toList();
        return without(had, known).stream()
                .filter(hole -> hole.length().compareTo(BillingWorld.DELAY_MOST) > 0)
                .toList();
    }

    /** Whether a checkpoint can contain the VM with the endpoint of that time. */
    private static boolean wasReceived(BillingWorld world, VmId vm, Span hole) {
        var pieces = world.lives.get(vm).pieces;
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
        var since = pieces.get(first).from().plus(RECEIVED_AFTER);
        var until = pieces.get(last).to();
        return since.isBefore(until) && !world.received.subSet(since, until).isEmpty();
    }

    private static boolean areOne(BillingWorld.Piece one, BillingWorld.Piece next) {
        return one.to().equals(next.from())
                && one.use().endpoint().equals(next.use().endpoint());
    }
}
