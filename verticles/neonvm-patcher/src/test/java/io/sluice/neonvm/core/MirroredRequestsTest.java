package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.neonvm.core.MirroredRequests.State;
import io.sluice.neonvm.core.MirroredRequests.Target;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MirroredRequestsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final MirroredRequests mirrored = new MirroredRequests();

    @Test
    void aPodIsTriedOnceAndReadAgainAfterIt() {
        observed(0, pod("a", 1));
        assertThat(mirrored.count(State.BEHIND)).isOne();

        assertThat(due(0)).containsExactly(pod("a", 1));
        ended("a", 1, State.WRITTEN, 0);
        assertThat(due(4_999)).isEmpty();
        assertThat(due(5_000)).containsExactly(pod("a", 1));
        ended("a", 1, State.FOLLOWS, 5_000);
        assertThat(due(1_000_000)).isEmpty();
        assertThat(mirrored.count(State.FOLLOWS)).isOne();
        assertThat(mirrored.count(State.BEHIND)).isZero();
    }

    @Test
    void theNewestChargeWinsAndOneAttemptIsUnderWay() {
        observed(0, pod("a", 1));
        due(0);
        observed(1, pod("a", 3));
        observed(2, pod("a", 2));
        assertThat(due(100_000)).isEmpty();

        ended("a", 1, State.WRITTEN, 100_000);
        assertThat(mirrored.count(State.BEHIND)).isOne();
        assertThat(due(104_999)).isEmpty();
        assertThat(due(105_000)).containsExactly(pod("a", 2));
    }

    @Test
    void aRepeatedChargeChangesNothing() {
        observed(0, pod("a", 1));
        due(0);
        ended("a", 1, State.FOLLOWS, 0);

        observed(1, pod("a", 1));

        assertThat(due(1_000_000)).isEmpty();
    }

    @Test
    void failuresAreRepeatedEverLaterAndNoLaterThanTheBound() {
        observed(0, pod("a", 1));
        long now = 0;
        for (long pause : List.of(5, 10, 20, 40, 80, 160, 300, 300, 300)) {
            assertThat(due(now)).hasSize(1);
            failed("a", 1, Duration.ZERO, now);
            assertThat(due(now + pause * 1_000 - 1)).isEmpty();
            now += pause * 1_000;
        }
    }

    @Test
    void aFailureRestsAsLongAsTheServerRequestsAlsoForANewCharge() {
        observed(0, pod("a", 1));
        due(0);
        failed("a", 1, Duration.ofMinutes(2), 0);
        observed(1, pod("a", 2));

        assertThat(due(119_999)).isEmpty();
        assertThat(due(120_000)).containsExactly(pod("a", 2));
    }

    @Test
    void jitterComesOnTopOfThePause() {
        observed(0, pod("a", 1));
        due(0);
        mirrored.failed(pod("a", 1), Duration.ZERO, 1, NOW);

        assertThat(due(7_499)).isEmpty();
        assertThat(due(7_500)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"APPLYING", "DEFERRED", "INFEASIBLE"})
    void aNodeThatDidNotAcceptIsReadEverLaterAndANewChargeIsTriedSoon(State state) {
        observed(0, pod("a", 1));
        due(0);
        ended("a", 1, state, 0);
        assertThat(mirrored.count(state)).isOne();
        assertThat(due(5_000)).hasSize(1);
        ended("a", 1, state, 5_000);
        assertThat(due(14_999)).isEmpty();
        assertThat(due(15_000)).hasSize(1);
        ended("a", 1, state, 15_000);

        observed(15_001, pod("a", 2));

        assertThat(due(20_000)).isEmpty();
        assertThat(due(20_001)).containsExactly(pod("a", 2));
    }

    @Test
    void aPodAtItsLimitsIsTriedAgainWithItsNextChargeOnly() {
        observed(0, pod("a", 2));
        due(0);
        ended("a", 2, State.LIMITED, 0);
        assertThat(due(1_000_000)).isEmpty();

        observed(1_000_000, pod("a", 1));

        assertThat(due(1_000_000)).containsExactly(pod("a", 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"EXCLUDED", "ENDED"})
    void aPodThatIsNoMoreToBeResizedStaysSoUntilItsReservationEnds(State state) {
        observed(0, pod("a", 1));
        due(0);
        observed(1, pod("a", 2));
        ended("a", 1, state, 2);
        observed(3, pod("a", 3));

        assertThat(due(1_000_000)).isEmpty();
        assertThat(mirrored.count(state)).isOne();

        observed(4, pod("b", 1));

        assertThat(mirrored.count(state)).isZero();
        assertThat(due(1_000_000)).containsExactly(pod("b", 1));
    }

    @Test
    void theEndOfAnAttemptForAPodThatIsGoneChangesNothing() {
        observed(0, pod("a", 1));
        due(0);
        mirrored.forget("node");

        ended("a", 1, State.WRITTEN, 1);
        failed("a", 1, Duration.ZERO, 1);

        assertThat(due(1_000_000)).isEmpty();
        for (var state : State.values()) {
            assertThat(mirrored.count(state)).as("%s", state).isZero();
        }
    }

    @Test
    void podsOfOtherNodesStay() {
        observed(0, pod("a", 1));
        var other = new Target("other", "c", "default", "c-0", new Resources(1_000, 1));
        mirrored.observed("other", Set.of(other), NOW);

        mirrored.forget("node");

        assertThat(due(0)).containsExactly(other);
    }

    private void observed(long ms, Target... targets) {
        mirrored.observed("node", Set.of(targets), at(ms));
    }

    private List<Target> due(long ms) {
        return mirrored.due(at(ms)).stream().toList();
    }

    private void ended(String pod, long cpus, State state, long ms) {
        mirrored.ended(pod(pod, cpus), state, 0, at(ms));
    }

    private void failed(String pod, long cpus, Duration rest, long ms) {
        mirrored.failed(pod(pod, cpus), rest, 0, at(ms));
    }

    private static Target pod(String uid, long cpus) {
        return new Target("node", uid, "default", uid + "-0", new Resources(cpus * 1_000, cpus << 30));
    }

    private static Instant at(long ms) {
        return NOW.plusMillis(ms);
    }
}
