package io.sluice.launcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pressure.PressureDecision;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecisionCounterTest {
    private static final FleetUse USE = new FleetUse(12.25, 7.5);

    @Test
    void countsEachKindOfDecision() {
        var tally = new DecisionCounter();
        tally.received(
                Decisions.decision(Decision.Kind.UPSCALE_REQUESTED, Optional.empty(), ""), Duration.ofSeconds(1));
        tally.received(Decisions.scaledUp(Duration.ofMillis(12)), Duration.ofMillis(3400));
        tally.received(Decisions.scaledUp(Duration.ofMillis(30)), Duration.ofSeconds(5));
        tally.received(Decisions.decision(Decision.Kind.SCALED_DOWN, Optional.empty(), ""), Duration.ofSeconds(6));
        tally.received(Decisions.decision(Decision.Kind.DENIED, Optional.empty(), ""), Duration.ofSeconds(7));
        tally.received(Decisions.decision(Decision.Kind.DOWNSCALE_DENIED, Optional.empty(), ""), Duration.ofSeconds(8));
        tally.received(Decisions.moving(PressureDecision.Kind.MOVING));
        tally.received(Decisions.moving(PressureDecision.Kind.MOVED));
        tally.received(Decisions.placing(PlacementDecision.Kind.WAITS));
        tally.received(Decisions.placing(PlacementDecision.Kind.WAITS));
        tally.received(Decisions.placing(PlacementDecision.Kind.NOT_PLACED));
        tally.received(Decisions.placing(PlacementDecision.Kind.PLACED));
        tally.received(Decisions.decision(Decision.Kind.SUPERSEDED, Optional.empty(), ""), Duration.ofSeconds(9));

        assertThat(tally.summary(USE).lines())
                .containsExactly(
                        "scale-ups: 2",
                        "scale-downs: 1",
                        "denials: 1",
                        "denied downscales: 1",
                        "upscale requests: 1",
                        "migrations: 1",
                        "pods placed: 1",
                        "pods that waited: 1",
                        "first scale-up s: 3.4",
                        "reaction p50 ms: 12.0",
                        "reaction p99 ms: 30.0",
                        "reserved: 12.3",
                        "used: 7.5");
    }

    @Test
    void takesPercentilesByRankWhateverTheOrder() {
        var millis = IntStream.rangeClosed(1, 200).boxed().collect(Collectors.toList());
        Collections.shuffle(millis, new Random(7));
        var tally = new DecisionCounter();
        millis.forEach(took -> tally.received(Decisions.scaledUp(Duration.ofMillis(took)), Duration.ZERO));

        assertThat(tally.summary(USE).reactionP50Ms()).isEqualTo(100);
        assertThat(tally.summary(USE).reactionP99Ms()).isEqualTo(198);
    }

    @Test
    void hasNothingToReportOfADemoWithoutDecisions() {
        assertThat(new DecisionCounter().summary(USE).lines())
                .contains("scale-ups: 0", "first scale-up s: 0.0", "reaction p99 ms: 0.0");
    }
}
