package io.sluice.placement.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.rules.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PreemptionsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Preemptions preemptions = new Preemptions(2);

    private static Instant at(long seconds) {
        return NOW.plusSeconds(seconds);
    }

    private void evicted(Instant now) {
        preemptions.evicted("a", List.of(Cluster.pod("low", "").on("n")), "evicted for it: default/low", now);
    }

    @Test
    void hasOneAttemptUnderWay() {
        assertThat(preemptions.begin("a", NOW)).isTrue();
        assertThat(preemptions.begin("a", NOW)).isFalse();
        assertThat(preemptions.begin("b", NOW)).isFalse();
        preemptions.notNeeded("b");
        assertThat(preemptions.begin("b", NOW)).as("another one's end").isFalse();
        preemptions.notNeeded("a");
        assertThat(preemptions.begin("b", NOW)).isTrue();
    }

    @Test
    void waitsForLongerAfterEachRefusalAndAMinuteAtMost() {
        var waits = List.of(2, 4, 8, 16, 32, 60, 60);
        long now = 0;
        for (var wait : waits) {
            assertThat(preemptions.begin("a", at(now))).as("at %d s", now).isTrue();
            preemptions.failed("a", "a budget refuses it", at(now));
            assertThat(preemptions.begin("a", at(now + wait).minusMillis(1))).isFalse();
            now += wait;
        }
        assertThat(preemptions.explanation("a")).isEqualTo("a budget refuses it");
        assertThat(preemptions.begin("b", NOW)).as("another pod does not wait").isTrue();
    }

    @Test
    void awaitsItsVictimsAndBeginsAnewAfterThem() {
        preemptions.begin("a", NOW);
        preemptions.failed("a", "refused", NOW);
        preemptions.begin("a", at(10));
        evicted(at(10));
        assertThat(preemptions.explanation("a")).isEqualTo("evicted for it: default/low");
        assertThat(preemptions.awaits("a", Set.of("uid-low", "uid-other"))).isTrue();
        assertThat(preemptions.awaits("a", Set.of("uid-other"))).isFalse();
        assertThat(preemptions.awaits("b", Set.of("uid-low"))).isFalse();
        var observable = at(10).plus(Preemptions.AFTER_EVICTIONS);
        assertThat(preemptions.begin("a", observable.minusMillis(1))).isFalse();
        assertThat(preemptions.begin("a", observable)).isTrue();
        preemptions.waits("a", observable);
        assertThat(preemptions.awaits("a", Set.of("uid-low"))).as("still").isTrue();
        preemptions.begin("a", at(60));
        preemptions.failed("a", "refused", at(60));
        assertThat(preemptions.begin("a", at(60).plus(Duration.ofSeconds(2))))
                .as("the first failure since")
                .isTrue();
    }

    @Test
    void forgetsAPodThatIsPlacedEvenWhileAnAttemptIsUnderWay() {
        preemptions.begin("a", NOW);
        preemptions.forget("a");
        assertThat(preemptions.begin("b", NOW)).isTrue();
        evicted(NOW);
        assertThat(preemptions.explanation("a")).isEmpty();
        assertThat(preemptions.begin("a", NOW)).as("that of b is under way").isFalse();
    }

    @Test
    void remembersALimitedNumberOfPods() {
        for (var uid : List.of("a", "b")) {
            preemptions.begin(uid, NOW);
            preemptions.failed(uid, "refused", NOW);
        }
        assertThat(preemptions.begin("c", NOW)).isFalse();
        preemptions.forget("a");
        assertThat(preemptions.begin("c", NOW)).isTrue();
    }
}
