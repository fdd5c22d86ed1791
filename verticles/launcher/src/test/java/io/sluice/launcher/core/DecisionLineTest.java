package io.sluice.launcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.shell.explain.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecisionLineTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = START.plusMillis(12_340);

    @Test
    void showsWhenWhichVmWhatWhyAndHowFast() {
        var up = Explanation.of(Decisions.scaledUp(Duration.ofMillis(12)), NOW);

        assertThat(DecisionLine.of(up, START))
                .isEqualTo(
                        "  12.3s  orders-db    scaled up         500m/2Gi -> 1250m/5Gi      goal 5 CU: cpu needs 4.90"
                                + "; reaction 12 ms");
    }

    @Test
    void showsWhichVmMovesFromWhereToWhereAndWhy() {
        var moving = Explanation.of(Decisions.moving(PressureDecision.Kind.MOVING), NOW);

        assertThat(DecisionLine.of(moving, START))
                .isEqualTo("  12.3s  orders-db    moving            node-c -> node-b           least loaded");
    }

    @Test
    void showsHowOftenInWhichTimeAndTheLastCause() {
        var first = Explanation.of(Decisions.decision(Decision.Kind.DENIED, Optional.empty(), "full"), START);
        var last = Explanation.of(Decisions.decision(Decision.Kind.DENIED, Optional.empty(), "fuller"), NOW);

        assertThat(DecisionLine.of(first.joined(last).orElseThrow(), START))
                .isEqualTo("  12.3s  orders-db    denied            500m/2Gi -> 1250m/5Gi      2 times in 12s, last:"
                        + " fuller");
    }

    @Test
    void staysOneLineWhateverAMonitorReports() {
        var denied = Decisions.decision(Decision.Kind.DOWNSCALE_DENIED, Optional.empty(), "no\nmemory\u001b[2J");

        assertThat(DecisionLine.of(Explanation.of(denied, START), START))
                .endsWith("no memory [2J")
                .doesNotContain("reaction");
    }
}
