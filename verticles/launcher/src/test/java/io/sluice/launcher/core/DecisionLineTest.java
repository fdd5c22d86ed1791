package io.sluice.launcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.pressure.PressureDecision;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecisionLineTest {
    @Test
    void showsWhenWhichVmWhatWhyAndHowFast() {
        assertThat(DecisionLine.of(Decisions.scaledUp(Duration.ofMillis(12)), Duration.ofMillis(12_340)))
                .isEqualTo(
                        "  12.3s  orders-db    scaled up         500m/2Gi -> 1250m/5Gi      goal 5 CU: cpu needs 4.90"
                                + "  reaction 12 ms");
    }

    @Test
    void showsWhichVmMovesFromWhereToWhereAndWhy() {
        assertThat(DecisionLine.of(Decisions.moving(PressureDecision.Kind.MOVING), Duration.ofMillis(12_340)))
                .isEqualTo("  12.3s  orders-db    moving            node-c -> node-b           least loaded");
    }

    @Test
    void staysOneLineWhateverAMonitorReports() {
        var denied = Decisions.decision(Decision.Kind.DOWNSCALE_DENIED, Optional.empty(), "no\nmemory\u001b[2J");

        assertThat(DecisionLine.of(denied, Duration.ZERO))
                .endsWith("no memory [2J")
                .doesNotContain("reaction");
    }
}
