package io.sluice.shell.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.Decision.Kind;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationLinesTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ExplanationLines lines = new ExplanationLines(Duration.ofSeconds(10));

    @Test
    void showsTheFirstAtOnceAndTheRestWhenAnotherFollows() {
        assertThat(lines.take(denied("a", 0))).singleElement().returns(1, Explanation::count);
        assertThat(lines.take(denied("a", 1))).isEmpty();
        assertThat(lines.take(denied("a", 2))).isEmpty();
        assertThat(lines.take(of(Kind.SCALED_DOWN, "a", 3)))
                .extracting(Explanation::count)
                .containsExactly(3, 1);
    }

    @Test
    void showsTheRestOnceInAPeriod() {
        lines.take(denied("a", 0));
        lines.take(denied("a", 9));
        assertThat(lines.due(START.plusSeconds(9))).isEmpty();
        assertThat(lines.due(START.plusSeconds(10))).singleElement().returns(2, Explanation::count);
        assertThat(lines.due(START.plusSeconds(20))).isEmpty();
        lines.take(denied("a", 21));
        assertThat(lines.due(START.plusSeconds(21))).singleElement().returns(3, Explanation::count);
    }

    @Test
    void keepsVmsApart() {
        lines.take(denied("a", 0));
        assertThat(lines.take(denied("b", 0))).hasSize(1);
        lines.take(denied("b", 2));
        lines.take(denied("a", 1));
        assertThat(lines.rest()).extracting(Explanation::vm).containsExactly("default/a", "default/b");
        assertThat(lines.rest()).isEmpty();
    }

    @Test
    void forgetsAVmWithoutDecisions() {
        lines.take(denied("a", 0));
        lines.due(START.plusSeconds(61));
        assertThat(lines.take(denied("a", 60))).hasSize(1);
    }

    private static Explanation denied(String name, int second) {
        return of(Kind.DENIED, name, second);
    }

    private static Explanation of(Kind kind, String name, int second) {
        var decision = new Decision(
                kind,
                new VmId("neonvm", "default", name, name),
                "n1",
                new Resources(1000, 1L << 30),
                new Resources(2000, 1L << 30),
                Optional.empty(),
                GoalBasis.NONE,
                "full",
                1);
        return Explanation.of(decision, START.plusSeconds(second));
    }
}
