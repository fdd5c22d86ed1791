package io.sluice.billing.core.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Leaders are killed, restarted and lose their disks, and two lead at once. A receiver that keeps the first record of
 * each key has each second of a VM once, or a gap for it.
 */
@DisplayName("F20: leaders are killed, restarted and cut off, and all use is billed once")
class LeaderHistoriesTest {
    private static final long HISTORIES = Long.getLong("billing.histories", 60);

    /** The largest size of a VM, in milli-CPU. */
    private static final long LARGEST = 2_000;

    private static final Duration SECOND = Duration.ofSeconds(1);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, HISTORIES);
    }

    /** Another process leads at once, as the others have received all changes; whether the disk is lost or not. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aKilledLeaderLeavesNoGapWhereTheNextOneHasReceivedEverything(long seed) {
        var random = new Random(seed);
        var world = new LeaderWorld(random, 3);
        for (int kill = 0; kill < 8; kill++) {
            world.live(60);
            killAndReplace(world, random);
        }
        world.live(30);
        world.close();

        assertThat(world.gaps.stream().filter(gap -> gap.from().isAfter(LeaderWorld.T.plusSeconds(10))))
                .as("seed %d", seed)
                .isEmpty();
        check(seed, world);
    }

    private static void killAndReplace(LeaderWorld world, Random random) {
        var leader = world.leader().orElseThrow();
        leader.kill(random.nextBoolean());
        world.run(Duration.ofMillis(random.nextInt(8_000)));
        var next = world.processes.stream()
                .filter(LeaderWorld.Process::isAlive)
                .findFirst()
                .orElseThrow();
        next.lead();
        world.live(random.nextInt(10));
        leader.start();
    }

    /** Both sides of a split bill, and both send. Afterwards one of them stands by. */
    @ParameterizedTest
    @MethodSource("seeds")
    void twoLeadersAtOnceWriteEqualKeys(long seed) {
        var random = new Random(seed);
        var world = new LeaderWorld(random, 2);
        for (int split = 0; split < 6; split++) {
            world.live(50);
            world.processes.forEach(LeaderWorld.Process::lead);
            world.live(10 + random.nextInt(60));
            world.processes.get(random.nextInt(2)).standBy();
        }
        world.live(30);
        world.close();

        check(seed, world);
    }

    /** All processes are killed; the next leader goes on from a disk. */
    @ParameterizedTest
    @MethodSource("seeds")
    void afterARestartOfAllProcessesBillsGoOnFromDisk(long seed) {
        var random = new Random(seed);
        var world = new LeaderWorld(random, 2);
        for (int restart = 0; restart < 5; restart++) {
            world.live(60);
            world.processes.forEach(process -> process.kill(false));
            world.live(random.nextInt(60));
            world.processes.forEach(LeaderWorld.Process::start);
            world.run(Duration.ofSeconds(random.nextInt(5)));
            world.processes.getFirst().lead();
        }
        world.live(30);
        world.close();

        check(seed, world);
        assertThat(world.gaps)
                .as("seed %d", seed)
                .allSatisfy(gap -> assertThat(world.leaderless)
                        .as("seed %d: nobody led during %s", seed, gap)
                        .anyMatch(away -> !gap.from().isBefore(away.from().minusSeconds(10))
                                && !gap.to().isAfter(away.to().plusSeconds(5))));
    }

    /** The process that led in between is lost with its disk and all copies, and the one before it leads again. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aFormerLeaderBillsNothingAgain(long seed) {
        var random = new Random(seed);
        var world = new LeaderWorld(random, 2);
        world.live(60);
        leadInBetween(world, random);

        assertThat(world.sent).as("seed %d", seed).isNotEmpty();
        pairsAtOnce(world)
                .forEach(pair ->
                        assertThat(pair).as("seed %d: billed twice", seed).isEmpty());
        world.kept.values().forEach(charge -> checkAmount(seed, lives(world, charge), gaps(world, charge), charge));
    }

    /** It continues from its old disk. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aFormerLeaderThatReadsNoCopiesBillsTheLastMinutesAgainAtMost(long seed) {
        var random = new Random(seed);
        var world = new LeaderWorld(random, 2);
        world.live(60);
        world.readable = false;
        var again = leadInBetween(world, random);

        var earliest = again.minus(ChangeLog.KEPT).minus(ReportedCharges.WINDOW);
        pairsAtOnce(world)
                .forEach(pair -> assertThat(pair)
                        .as("seed %d: billed twice", seed)
                        .allSatisfy(charge -> assertThat(charge.start()).isAfterOrEqualTo(earliest)));
    }

    /** Returns when the first process leads again. */
    private static Instant leadInBetween(LeaderWorld world, Random random) {
        var first = world.processes.getFirst();
        var other = world.processes.getLast();
        first.standBy();
        other.lead();
        world.live(800 + random.nextInt(800));
        other.kill(true);
        world.loseCopies();
        world.run(Duration.ofMillis(random.nextInt(8_000)));
        first.lead();
        var again = world.now();
        world.live(60);
        world.close();
        return again;
    }

    /** The pairs of records of one VM that were sent for the same instant. */
    private static Stream<List<UsageRecord>> pairsAtOnce(LeaderWorld world) {
        return world.sent.stream()
                .flatMap(one -> world.sent.stream()
                        .filter(other -> one != other
                                && one.key().vm().equals(other.key().vm()))
                        .filter(other -> one.start().isBefore(other.stop())
                                && other.start().isBefore(one.stop()))
                        .map(other -> List.of(one, other)));
    }

    private static List<LeaderWorld.Piece> lives(LeaderWorld world, UsageRecord charge) {
        return world.lives.get(charge.key().vm());
    }

    private static List<Gap> gaps(LeaderWorld world, UsageRecord charge) {
        return world.gaps.stream()
                .filter(gap -> gap.key().vm().equals(charge.key().vm()))
                .toList();
    }

    private static void check(long seed, LeaderWorld world) {
        world.lives.forEach((vm, pieces) -> {
            var charges = world.kept.values().stream()
                    .filter(charge -> charge.key().vm().equals(vm))
                    .sorted(Comparator.comparing(UsageRecord::start).thenComparing(UsageRecord::stop))
                    .toList();
            var gaps =
                    world.gaps.stream().filter(gap -> gap.key().vm().equals(vm)).toList();
            checkOrder(seed, charges);
            charges.forEach(charge -> checkAmount(seed, pieces, gaps, charge));
            pieces.stream()
                    .filter(piece -> piece.use().isPresent())
                    .filter(piece -> world.leaderless.stream().noneMatch(away -> isIn(piece, away)))
                    .forEach(piece -> checkCover(seed, piece, charges, gaps));
        });
    }

    /** Use that both began and ended while nobody led, or just before or after, cannot be known. */
    private static boolean isIn(LeaderWorld.Piece piece, LeaderWorld.Piece away) {
        return !piece.from().isBefore(away.from().minusSeconds(5))
                && !piece.to().isAfter(away.to().plusSeconds(5));
    }

    private static void checkOrder(long seed, List<UsageRecord> charges) {
        for (int i = 1; i < charges.size(); i++) {
            assertThat(charges.get(i).start())
                    .as("seed %d: %s begins before the end of %s", seed, charges.get(i), charges.get(i - 1))
                    .isAfterOrEqualTo(charges.get(i - 1).stop());
        }
    }

    /** A change of size counts at its arrival, at most a second late. */
    private static void checkAmount(long seed, List<LeaderWorld.Piece> pieces, List<Gap> gaps, UsageRecord charge) {
        var had = BigInteger.ZERO;
        long changes = 1;
        for (var piece : pieces) {
            var from = later(piece.from(), charge.start());
            var to = earlier(piece.to(), charge.stop());
            boolean pays = piece.use()
                    .map(VmUse.Use::endpoint)
                    .filter(charge.key().endpoint()::equals)
                    .isPresent();
            if (from.plus(SECOND).isBefore(to) && !pays) {
                assertThat(gaps)
                        .as("seed %d: %s while the VM had %s", seed, charge, piece)
                        .anyMatch(gap -> !gap.from().isAfter(from.plus(SECOND))
                                && !gap.to().isBefore(to));
            } else if (from.isBefore(to) && pays) {
                had = had.add(amount(piece, from, to));
                changes++;
                for (var gap : gaps) {
                    if (gap.key().equals(charge.key())) {
                        had = had.subtract(amount(piece, later(gap.from(), from), earlier(gap.to(), to)));
                        changes++;
                    }
                }
            }
        }
        assertThat(charge.milliCpuNs().subtract(had).abs())
                .as("seed %d: %s, which had %s", seed, charge, had)
                .isLessThanOrEqualTo(BigInteger.valueOf(LARGEST * SECOND.toNanos() * changes));
    }

    private static BigInteger amount(LeaderWorld.Piece piece, Instant from, Instant to) {
        return from.isBefore(to)
                ? BigInteger.valueOf(piece.use().map(VmUse.Use::milliCpu).orElse(0L))
                        .multiply(BigInteger.valueOf(Duration.between(from, to).toNanos()))
                : BigInteger.ZERO;
    }

    /** Each second of use is in a record or in a gap. */
    private static void checkCover(long seed, LeaderWorld.Piece piece, List<UsageRecord> charges, List<Gap> gaps) {
        var known = new ArrayList<LeaderWorld.Piece>();
        charges.forEach(charge -> known.add(new LeaderWorld.Piece(charge.start(), charge.stop(), Optional.empty())));
        gaps.forEach(gap -> known.add(new LeaderWorld.Piece(gap.from(), gap.to(), Optional.empty())));
        known.sort(Comparator.comparing(LeaderWorld.Piece::from));
        var at = piece.from();
        for (var part : known) {
            if (part.to().isAfter(at) && part.from().isBefore(piece.to())) {
                assertThat(part.from())
                        .as("seed %d: %s is neither billed nor a gap from %s on", seed, piece, at)
                        .isBeforeOrEqualTo(at.plus(SECOND));
                at = part.to();
            }
        }
        assertThat(at)
                .as("seed %d: the end of %s is neither billed nor a gap", seed, piece)
                .isAfterOrEqualTo(piece.to().minus(SECOND));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
