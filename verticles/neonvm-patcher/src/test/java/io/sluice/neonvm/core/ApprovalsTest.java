package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.neonvm.core.Approvals.Amounts;
import io.sluice.neonvm.core.Approvals.Outcome;
import io.sluice.neonvm.core.Approvals.Write;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApprovalsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final VmId DB = vm("u1");
    private static final Outcome FAILED = new Outcome.Failed(Duration.ofSeconds(5));

    private final Approvals approvals = new Approvals(Duration.ofSeconds(1), 3);

    @Test
    void writesOnceWhatNoPatchCarriesInTime() {
        received(0, 2);

        assertThat(due(999)).isEmpty();
        assertThat(due(1_000)).containsExactly(new Write(DB, amounts(2)));
        assertThat(due(100_000)).isEmpty();
    }

    @Test
    void writesNothingThatAPatchCarried() {
        received(0, 2);
        approvals.patched("u1", amounts(2), at(20));

        assertThat(approvals.waiting()).isZero();
        assertThat(due(100_000)).isEmpty();
    }

    @Test
    void writesAfterAPatchWhatDiffersFromIt() {
        received(0, 3);
        approvals.patched("u1", amounts(2), at(20));

        assertThat(due(1_019)).isEmpty();
        assertThat(due(1_020)).containsExactly(new Write(DB, amounts(3)));
    }

    @Test
    void writesAgainIfItIsUnknownWhetherThePatchOrTheWriteCameLast() {
        received(0, 3);
        var write = due(1_000).getFirst();
        approvals.patched("u1", amounts(2), at(1_010));
        received(1_020, 2);
        approvals.ended(write, new Outcome.Written(), at(1_030));

        assertThat(due(2_030)).containsExactly(new Write(DB, amounts(2)));
    }

    @Test
    void namesInAPatchItsTargetAndTheUnitIfItIsKnown() {
        assertThat(approvals.ofPatch("u1", size(2)))
                .isEqualTo(new Amounts(Optional.empty(), Optional.of(size(2)), size(2)));

        approvals.received(DB, new Amounts(Optional.of(size(1)), Optional.of(size(4)), size(4)), false, at(0));

        assertThat(approvals.ofPatch("u1", size(2)))
                .isEqualTo(new Amounts(Optional.of(size(1)), Optional.of(size(2)), size(2)));
    }

    @Test
    void hurriesWithTheFirstOfAVmWithoutAFence() {
        var slow = new Approvals(Duration.ofSeconds(30), 3);
        slow.received(DB, amounts(1), true, at(0));
        slow.received(vm("b"), amounts(1), false, at(0));

        var first = slow.due(at(1_000), false).orElseThrow();
        assertThat(first).isEqualTo(new Write(DB, amounts(1)));
        slow.ended(first, new Outcome.Written(), at(1_010));
        slow.received(DB, amounts(2), true, at(2_000));

        assertThat(slow.due(at(29_999), false)).isEmpty();
        assertThat(slow.due(at(30_000), false)).contains(new Write(vm("b"), amounts(1)));
        assertThat(slow.due(at(31_999), false)).isEmpty();
        assertThat(slow.due(at(32_000), false)).contains(new Write(DB, amounts(2)));
    }

    @Test
    void writesNothingAgainThatStandsThereAlready() {
        written(0, 2);
        received(2_000, 2);

        assertThat(approvals.waiting()).isZero();
    }

    @Test
    void writesTheNewestOnlyAndNoMoreThanOnceASecond() {
        written(0, 2);
        received(1_100, 3);
        received(1_200, 4);

        assertThat(due(2_099)).isEmpty();
        assertThat(due(2_100)).containsExactly(new Write(DB, amounts(4)));
    }

    @Test
    void forgetsAChangeThatWasTakenBackBeforeItWasWritten() {
        written(0, 2);
        received(1_100, 3);
        received(1_200, 2);

        assertThat(due(100_000)).isEmpty();
    }

    @Test
    void triesAgainAfterAFailureWithTheNewestOnly() {
        received(0, 2);
        var first = due(1_000).getFirst();
        received(1_050, 3);
        approvals.ended(first, FAILED, at(1_100));
        received(1_200, 4);

        assertThat(due(6_099)).isEmpty();
        assertThat(due(6_100)).containsExactly(new Write(DB, amounts(4)));
    }

    @Test
    void writesAgainWhatAFailedWriteMayHaveOverwritten() {
        written(0, 2);
        received(1_100, 3);
        var doubtful = due(2_100).getFirst();
        received(2_150, 2);
        approvals.ended(doubtful, FAILED, at(2_200));

        assertThat(due(100_000)).containsExactly(new Write(DB, amounts(2)));
    }

    @Test
    void restsAsLongAsTheFailureDemands() {
        received(0, 2);
        approvals.ended(due(1_000).getFirst(), new Outcome.Failed(Duration.ofSeconds(20)), at(1_100));

        assertThat(due(21_099)).isEmpty();
        assertThat(due(21_100)).hasSize(1);
    }

    @Test
    void writesNothingWhileSizesArePatched() {
        received(0, 2);

        assertThat(approvals.due(at(5_000), true)).isEmpty();
        assertThat(approvals.due(at(5_000), false)).isPresent();
    }

    @Test
    void returnsWhatWaitsLongestFirst() {
        for (var uid : new String[] {"b", "c", "a"}) {
            approvals.received(vm(uid), amounts(2), false, at("bca".indexOf(uid)));
        }

        assertThat(uids(due(2_000))).containsExactly("b", "c", "a");
    }

    @Test
    void forgetsVmsThatAreGoneAndThoseBeyondItsBound() {
        received(0, 2);
        approvals.ended(due(1_000).getFirst(), new Outcome.Gone(), at(1_001));
        assertThat(approvals.waiting()).isZero();
        received(2_000, 2);

        for (var uid : new String[] {"a", "b", "c"}) {
            approvals.received(vm(uid), amounts(2), false, at(2_000));
        }
        assertThat(approvals.waiting()).isEqualTo(3);
        approvals.forget("a");
        assertThat(uids(due(5_000))).containsExactly("b", "c");
    }

    /**
     * Whatever happens to writes and patches, one VM is written to at most once a second beside its patches, and the
     * newest amounts are written last.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void endsWithTheNewestAndNeverHurries(long seed) {
        var random = new Random(seed);
        var fresh = new Approvals(Duration.ofSeconds(1), 100);
        var object = new HashMap<String, Amounts>();
        var lastSent = new HashMap<String, Instant>();
        var newest = amounts(1);
        for (int step = 0; step < 5_000; step++) {
            var now = at(step * 100L);
            if (step < 4_500 && random.nextInt(3) == 0) {
                newest = amounts(1 + random.nextInt(4));
                fresh.received(DB, newest, false, now);
            }
            if (step < 4_500 && random.nextInt(20) == 0) {
                object.put("u1", newest);
                fresh.patched("u1", newest, now);
            }
            for (var write : fresh.due(now, false).stream().toList()) {
                assertThat(lastSent.getOrDefault("u1", Instant.MIN).plusMillis(999))
                        .as("seed %d step %d", seed, step)
                        .isBefore(now);
                lastSent.put("u1", now);
                boolean answered = random.nextInt(3) > 0;
                if (answered || random.nextBoolean()) {
                    object.put("u1", write.amounts());
                }
                fresh.ended(write, answered ? new Outcome.Written() : FAILED, now);
            }
        }
        assertThat(object.get("u1")).as("seed %d", seed).isEqualTo(newest);
    }

    private void received(long atMs, long cores) {
        approvals.received(DB, amounts(cores), false, at(atMs));
    }

    /** Received at the first instant, and written a second later. */
    private void written(long atMs, long cores) {
        received(atMs, cores);
        approvals.ended(due(atMs + 1_000).getFirst(), new Outcome.Written(), at(atMs + 1_000));
    }

    private List<Write> due(long atMs) {
        return Stream.generate(() -> approvals.due(at(atMs), false))
                .takeWhile(Optional::isPresent)
                .map(Optional::get)
                .toList();
    }

    private static List<String> uids(List<Write> writes) {
        return writes.stream().map(write -> write.vm().uid()).toList();
    }

    private static Instant at(long ms) {
        return NOW.plusMillis(ms);
    }

    private static Amounts amounts(long cores) {
        return new Amounts(Optional.empty(), Optional.empty(), size(cores));
    }

    private static Resources size(long cores) {
        return new Resources(cores * 1000, cores << 30);
    }

    private static VmId vm(String uid) {
        return new VmId("neonvm", "ns", "db-" + uid, uid);
    }
}
