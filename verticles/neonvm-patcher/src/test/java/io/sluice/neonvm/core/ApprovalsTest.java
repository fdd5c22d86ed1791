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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApprovalsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final VmId DB = vm("u1");
    private static final Outcome FAILED = new Outcome.Failed(Duration.ofSeconds(5));

    private final Approvals approvals = new Approvals(Duration.ofSeconds(1), 3);

    @Test
    void writesOnceWhatWasReceived() {
        assertThat(approvals.received(DB, amounts(1))).isTrue();

        assertThat(due(0)).containsExactly(new Write(DB, amounts(1)));
        assertThat(due(10_000)).isEmpty();
    }

    @Test
    void writesNothingAgainThatStandsThereAlready() {
        written(0, 1);

        assertThat(approvals.received(DB, amounts(1))).isFalse();
        assertThat(due(10_000)).isEmpty();
        assertThat(approvals.waiting()).isZero();
    }

    @Test
    void writesTheNewestOnlyAndNoMoreThanOnceASecond() {
        written(0, 1);
        approvals.received(DB, amounts(2));
        approvals.received(DB, amounts(3));

        assertThat(due(999)).isEmpty();
        assertThat(due(1_000)).containsExactly(new Write(DB, amounts(3)));
    }

    @Test
    void forgetsAChangeThatWasTakenBackBeforeItWasWritten() {
        written(0, 1);
        approvals.received(DB, amounts(2));
        approvals.received(DB, amounts(1));

        assertThat(due(5_000)).isEmpty();
    }

    @Test
    void writesAfterAWriteWhatCameMeanwhile() {
        approvals.received(DB, amounts(1));
        var first = due(0).getFirst();
        approvals.received(DB, amounts(2));
        assertThat(due(2_000)).isEmpty();

        approvals.ended(first, new Outcome.Written(), at(2_100));

        assertThat(due(2_200)).containsExactly(new Write(DB, amounts(2)));
    }

    @Test
    void triesAgainAfterAFailureWithTheNewestOnly() {
        approvals.received(DB, amounts(1));
        var first = due(0).getFirst();
        approvals.received(DB, amounts(2));
        approvals.ended(first, FAILED, at(100));

        assertThat(due(5_000)).isEmpty();
        assertThat(due(5_100)).containsExactly(new Write(DB, amounts(2)));
    }

    @Test
    void restsAsLongAsTheFailureDemands() {
        approvals.received(DB, amounts(1));
        approvals.ended(due(0).getFirst(), new Outcome.Failed(Duration.ofSeconds(20)), at(100));

        assertThat(due(20_099)).isEmpty();
        assertThat(due(20_100)).hasSize(1);
    }

    @Test
    void writesAgainWhatAFailedWriteMayHaveOverwritten() {
        written(0, 1);
        approvals.received(DB, amounts(2));
        var doubtful = due(1_000).getFirst();
        approvals.received(DB, amounts(1));
        approvals.ended(doubtful, FAILED, at(1_100));

        assertThat(due(7_000)).containsExactly(new Write(DB, amounts(1)));
    }

    @Test
    void leavesAVmAloneWhileItsSizeIsBeingPatched() {
        approvals.received(DB, amounts(1));

        assertThat(approvals.due(at(0), 10, "u1"::equals)).isEmpty();
        assertThat(approvals.due(at(10), 10, uid -> false)).hasSize(1);
    }

    @Test
    void returnsNoMoreThanRequestedAndTheOthersLater() {
        for (var uid : new String[] {"a", "b", "c"}) {
            approvals.received(vm(uid), amounts(1));
        }

        assertThat(approvals.due(at(0), 2, uid -> false))
                .extracting(write -> write.vm().uid())
                .containsExactly("a", "b");
        assertThat(approvals.due(at(0), 2, uid -> false))
                .extracting(write -> write.vm().uid())
                .containsExactly("c");
        assertThat(approvals.due(at(0), 0, uid -> false)).isEmpty();
    }

    @Test
    void forgetsVmsThatAreGoneAndThoseBeyondItsBound() {
        approvals.received(DB, amounts(1));
        approvals.ended(due(0).getFirst(), new Outcome.Gone(), at(1));
        assertThat(approvals.received(DB, amounts(1))).isTrue();

        for (var uid : new String[] {"a", "b", "c"}) {
            approvals.received(vm(uid), amounts(1));
        }
        assertThat(approvals.waiting()).isEqualTo(3);
        approvals.forget("a");
        assertThat(due(5_000)).extracting(write -> write.vm().uid()).containsExactly("b", "c");
    }

    /**
     * Whatever happens to writes, one VM is written to at most once a second, and the newest amounts are written last.
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
            if (step < 4_800 && random.nextInt(3) == 0) {
                newest = amounts(1 + random.nextInt(4));
                fresh.received(DB, newest);
            }
            for (var write : fresh.due(now, 1, uid -> random.nextInt(4) == 0)) {
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

    private void written(long atMs, long cores) {
        approvals.received(DB, amounts(cores));
        approvals.ended(due(atMs).getFirst(), new Outcome.Written(), at(atMs));
    }

    private List<Write> due(long atMs) {
        return approvals.due(at(atMs), 10, uid -> false);
    }

    private static Instant at(long ms) {
        return NOW.plusMillis(ms);
    }

    private static Amounts amounts(long cores) {
        return new Amounts(Optional.empty(), Optional.empty(), new Resources(cores * 1000, cores << 30));
    }

    private static VmId vm(String uid) {
        return new VmId("neonvm", "ns", "db-" + uid, uid);
    }
}
