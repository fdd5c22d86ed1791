package io.sluice.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.sluice.agent.core.status.ScalingStatus;
import io.sluice.agent.core.status.VmPod;
import io.sluice.agent.core.status.WaitCause;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VmStatusTrackerTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final VmStatusTracker board = new VmStatusTracker(new Random(1));

    @Test
    void publishesTheFirstStatusAtOnceAndARepeatNotAtAll() {
        assertThat(board.update(status("a", 4, Waiting.METRICS), START)).isPresent();
        assertThat(board.update(status("a", 4, Waiting.METRICS), at(1_000))).isEmpty();
        assertThat(board.due(at(2_000))).isEmpty();
    }

    static List<ScalingStatus> changes() {
        return List.of(
                status("a", 4, Waiting.PERMIT),
                status("a", 5, Waiting.METRICS),
                new ScalingStatus(
                        reservation("a"),
                        cu(4),
                        Optional.of(cu(5)),
                        Optional.empty(),
                        GoalBasis.NONE,
                        cause(Waiting.METRICS),
                        Optional.empty()),
                new ScalingStatus(
                        reservation("a"),
                        cu(4),
                        Optional.empty(),
                        Optional.of(cu(5)),
                        GoalBasis.NONE,
                        cause(Waiting.METRICS),
                        Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void publishesAChangeOfWaitSizeGoalOrPermit(int change) {
        board.update(status("a", 4, Waiting.METRICS), START);
        assertThat(board.update(changes().get(change), at(250))).isPresent();
    }

    @Test
    void holdsChangesBackAndPublishesTheLastOfThem() {
        board.update(status("a", 4, Waiting.METRICS), START);
        assertThat(board.update(status("a", 4, Waiting.PERMIT), at(10))).isEmpty();
        assertThat(board.update(status("a", 4, Waiting.PATCH), at(20))).isEmpty();
        assertThat(board.due(at(249))).isEmpty();
        assertThat(board.due(at(250))).extracting(RunnerStatus::waiting).containsExactly(Waiting.PATCH);
        assertThat(board.due(at(500))).isEmpty();
    }

    @Test
    void publishesNothingOfAChangeThatWasTakenBack() {
        board.update(status("a", 4, Waiting.METRICS), START);
        board.update(status("a", 4, Waiting.PERMIT), at(10));
        board.update(status("a", 4, Waiting.METRICS), at(20));
        assertThat(board.due(at(1_000))).isEmpty();
    }

    @Test
    void publishesHowLongItHasWaitedWhateverElseChanged() {
        board.update(status("a", 4, Waiting.ROOM), START);
        var reported = board.update(status("a", 5, Waiting.ROOM), at(5_000)).orElseThrow();
        assertThat(reported.since()).isEqualTo(Duration.ofSeconds(5));
        assertThat(board.update(status("a", 5, Waiting.PATCH), at(6_000))
                        .orElseThrow()
                        .since())
                .isZero();
    }

    @Test
    void publishesAllOfItAgainEveryHalfMinuteAndNotInOneBurst() {
        for (int i = 0; i < 100; i++) {
            board.update(status("vm" + i, 4, Waiting.NOTHING), START);
        }
        var received = new HashMap<String, Integer>();
        int most = 0;
        for (int millis = 250; millis <= 30_000; millis += 250) {
            var due = board.due(at(millis));
            most = Math.max(most, due.size());
            due.forEach(status -> received.merge(status.vm().name(), 1, Integer::sum));
        }
        assertThat(received)
                .hasSize(100)
                .allSatisfy((vm, times) -> assertThat(times).isEqualTo(1));
        assertThat(most).isLessThan(50);
    }

    @Test
    void publishesTheEndOnceAndKeepsNothing() {
        board.update(status("a", 4, Waiting.NOTHING), START);
        assertThat(board.ended(status("a", 4, Waiting.STOPPED), at(100)))
                .as("too soon after the last")
                .isEmpty();
        assertThat(board.due(at(250))).extracting(RunnerStatus::waiting).containsExactly(Waiting.STOPPED);
        assertThat(board.due(at(60_000))).isEmpty();
        assertThat(board.ended(status("a", 4, Waiting.STOPPED), at(60_000))).isEmpty();
        assertThat(board.census(at(60_000))).isEqualTo(new VmStatusTracker.Census(0, 0, 0));
    }

    @Test
    void publishesNothingMoreOfAVmThatOthersReportOn() {
        board.update(status("a", 4, Waiting.METRICS), START);
        board.update(status("a", 5, Waiting.PERMIT), at(1));
        board.forget(reservation("a").vm());
        assertThat(board.due(at(60_000))).isEmpty();
        assertThat(board.ended(status("a", 5, Waiting.STOPPED), at(60_001))).isEmpty();
    }

    @Test
    void aVmThatIsScaledAgainIsOnTheBoardAgain() {
        board.update(status("a", 4, Waiting.NOTHING), START);
        board.ended(status("a", 4, Waiting.STOPPED), at(100));
        board.update(status("a", 4, Waiting.SESSION), at(150));
        assertThat(board.due(at(250))).extracting(RunnerStatus::waiting).containsExactly(Waiting.SESSION);
        assertThat(board.due(at(40_000))).hasSize(1);
    }

    @Test
    void countsVmsThatDoWellAndVmsThatAreStuck() {
        board.update(status("well", 4, Waiting.ROOM), START);
        board.update(status("slow", 4, Waiting.METRICS), START);
        board.update(status("moving", 4, Waiting.MIGRATION), START);
        board.update(status("other's", 4, Waiting.SUPERSEDED), START);
        board.update(status("broken", 4, Waiting.NOTHING).because(WaitCause.failed("bang", at(5_000))), START);
        assertThat(board.waiting())
                .containsOnly(
                        entry(Waiting.ROOM, 1),
                        entry(Waiting.METRICS, 1),
                        entry(Waiting.MIGRATION, 1),
                        entry(Waiting.SUPERSEDED, 1),
                        entry(Waiting.RETRY, 1));
        assertThat(board.census(at(59_999))).isEqualTo(new VmStatusTracker.Census(2, 0, 1));
        assertThat(board.census(at(60_000))).isEqualTo(new VmStatusTracker.Census(1, 1, 1));
        board.update(status("slow", 4, Waiting.NOTHING), at(61_000));
        assertThat(board.census(at(61_000))).isEqualTo(new VmStatusTracker.Census(2, 0, 1));
    }

    /** Under any history: at most four messages a second for each VM, and the last message has the last status. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void keepsItsPaceAndLosesNoLastChange(long seed) {
        var random = new Random(seed);
        Map<String, Waiting> recorded = new HashMap<>();
        Map<String, Waiting> received = new HashMap<>();
        Map<String, Instant> receivedAt = new HashMap<>();
        int millis = 0;
        for (int step = 0; step < 20_000; step++) {
            millis += random.nextInt(40);
            var name = "vm" + random.nextInt(5);
            var waiting = Waiting.values()[random.nextInt(Waiting.values().length - 1)];
            var reported = new ArrayList<RunnerStatus>();
            board.update(status(name, 1 + random.nextInt(3), waiting), at(millis))
                    .ifPresent(reported::add);
            recorded.put(name, waiting);
            if (random.nextInt(10) == 0) {
                reported.addAll(board.due(at(millis)));
            }
            for (var status : reported) {
                var before = receivedAt.put(status.vm().name(), at(millis));
                if (before != null) {
                    assertThat(Duration.between(before, at(millis)))
                            .as("seed %d step %d", seed, step)
                            .isGreaterThanOrEqualTo(VmStatusTracker.PACE);
                }
                received.put(status.vm().name(), status.waiting());
            }
        }
        board.due(at(millis + 250)).forEach(status -> received.put(status.vm().name(), status.waiting()));
        assertThat(received).isEqualTo(recorded);
    }

    @Test
    void namesWhatVmsHaveWaitedForTooLong() {
        for (var name : List.of("a", "b", "c", "d")) {
            board.update(status(name, 4, Waiting.ROOM), START);
        }
        board.update(status("grows", 4, Waiting.PATCH), START);
        board.update(status("slow", 4, Waiting.METRICS), at(1_000));
        board.update(status("moving", 4, Waiting.MIGRATION), START);

        assertThat(board.troubles(at(59_999))).isEmpty();
        assertThat(board.troubles(at(61_000)))
                .containsOnlyKeys(Waiting.ROOM, Waiting.METRICS)
                .containsEntry(Waiting.METRICS, "delayed for 60 s: default/slow; default/slow: as of " + at(61_000))
                .hasEntrySatisfying(
                        Waiting.ROOM,
                        sentence -> assertThat(sentence)
                                .startsWith("delayed for 61 s: default/")
                                .contains(" and 1 more; default/")
                                .endsWith(": as of " + at(61_000)));
    }

    private static ScalingStatus status(String name, int cu, Waiting waiting) {
        return ScalingStatus.unserved(reservation(name), cu(cu), Optional.empty(), cause(waiting));
    }

    private static WaitCause cause(Waiting waiting) {
        return new WaitCause(waiting, now -> "as of " + now, false, false);
    }

    private static VmPod reservation(String name) {
        return new VmPod(new VmId("neonvm", "default", name, "uid-" + name), "n1", "pod-" + name, name);
    }

    private static Resources cu(int units) {
        return new Resources(250L * units, units * (1L << 30));
    }

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }
}
