package io.sluice.shell.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.Decision.Kind;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void showsWhatWasDecidedWithItsCauseAndReaction() {
        var up = Explanation.of(decision(Kind.SCALED_UP, 4, 6, Optional.of(Duration.ofMillis(80)), "goal 6 CU"), START);

        assertThat(up.word()).isEqualTo("scaled up");
        assertThat(up.change()).isEqualTo("1/4Gi -> 1500m/6Gi");
        assertThat(up.repeats()).isEmpty();
        assertThat(up.cause()).isEqualTo("goal 6 CU; reaction 80 ms");
    }

    @Test
    void aDescentStepByStepIsOneEntry() {
        var all = at(Kind.SCALED_DOWN, 16, 15, 0);
        for (int step = 1; step < 11; step++) {
            all = all.joined(at(Kind.SCALED_DOWN, 16 - step, 15 - step, 5 * step))
                    .orElseThrow();
        }

        assertThat(all.change()).isEqualTo("4/16Gi -> 1250m/5Gi");
        assertThat(all.repeats()).isEqualTo("in 11 steps over 50s");
        assertThat(all.since()).isEqualTo(START);
    }

    @Test
    void equalDecisionsInARowAreOneEntryWithTheLastCause() {
        var all = at(Kind.DENIED, 4, 6, 0).joined(at(Kind.DENIED, 4, 7, 6)).orElseThrow();

        assertThat(all.count()).isEqualTo(2);
        assertThat(all.repeats()).isEqualTo("2 times in 6s");
        assertThat(all.cause()).isEqualTo("cause 7");
        assertThat(all.change()).isEqualTo("1/4Gi -> 1750m/7Gi");
    }

    @Test
    void countsWhatADecisionStandsFor() {
        var one = decision(Kind.DENIED, 4, 6, Optional.empty(), "full");
        var many = new Decision(
                one.kind(), one.vm(), one.node(), one.from(), one.to(), one.reaction(), one.basis(), one.reason(), 13);

        assertThat(Explanation.of(one, START)
                        .joined(Explanation.of(many, START.plusMillis(900)))
                        .orElseThrow()
                        .repeats())
                .isEqualTo("14 times");
    }

    @Test
    void anythingElseIsAnEntryOfItsOwn() {
        var first = at(Kind.SCALED_DOWN, 8, 7, 0);

        assertThat(first.joined(at(Kind.SCALED_UP, 7, 8, 1))).isEmpty();
        assertThat(first.joined(at(Kind.SCALED_DOWN, 6, 5, 1))).isEmpty();
        assertThat(first.joined(at(Kind.SCALED_DOWN, 7, 6, 60))).isPresent();
        assertThat(first.joined(at(Kind.SCALED_DOWN, 7, 6, 61))).isEmpty();
        assertThat(at(Kind.DENIED, 8, 9, 0).joined(at(Kind.DENIED, 9, 10, 1))).isEmpty();
    }

    @Test
    void withoutNumbersOnlyTheSameCauseIsEqual() {
        var refused = at(Kind.CONFIG_REFUSED, 4, 4, 0);

        assertThat(refused.joined(at(Kind.CONFIG_REFUSED, 4, 4, 1))).isPresent();
        var another = Explanation.of(decision(Kind.CONFIG_REFUSED, 4, 4, Optional.empty(), "another"), START);
        assertThat(refused.joined(another)).isEmpty();
    }

    @Test
    void aMigrationHasItsNodesInPlaceOfSizes() {
        var moved = new PressureDecision(
                PressureDecision.Kind.MOVED, "n1", Optional.of(vm()), "n2", Optional.empty(), "least loaded");

        assertThat(Explanation.of(moved, START).change()).isEqualTo("n1 -> n2");
    }

    @Test
    void aCauseHasABound() {
        var denied = decision(Kind.DOWNSCALE_DENIED, 4, 3, Optional.empty(), "x".repeat(2000));

        assertThat(Explanation.of(denied, START).cause()).hasSize(400).endsWith("x…");
    }

    private static Explanation at(Kind kind, int from, int to, int second) {
        return Explanation.of(decision(kind, from, to, Optional.empty(), "cause " + to), START.plusSeconds(second));
    }

    private static Decision decision(Kind kind, int from, int to, Optional<Duration> reaction, String reason) {
        return new Decision(kind, vm(), "n1", cu(from), cu(to), reaction, GoalBasis.NONE, reason, 1);
    }

    private static VmId vm() {
        return new VmId("neonvm", "default", "a", "uid-a");
    }

    private static Resources cu(int units) {
        return new Resources(250, 1L << 30).times(units);
    }
}
