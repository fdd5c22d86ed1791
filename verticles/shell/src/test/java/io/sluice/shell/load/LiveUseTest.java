package io.sluice.shell.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveUseTest {
    private static final Instant START = Instant.EPOCH;
    private static final Resources SIZE = new Resources(4_000, 1_000);

    private final LiveUse live = new LiveUse(2);

    private static RunnerStatus status(String pod, Optional<Double> load, Optional<Double> memory) {
        var basis = new GoalBasis(
                1, Optional.empty(), Optional.empty(), Optional.empty(), load, Optional.empty(), memory, 0, 0);
        return new RunnerStatus(
                new VmId("neonvm", "ns", pod, "uid"),
                "n1",
                pod,
                SIZE,
                Optional.empty(),
                Optional.empty(),
                Waiting.NOTHING,
                Duration.ZERO,
                basis,
                "",
                Optional.empty());
    }

    private void uses(String pod, double cpus, long second) {
        assertThat(live.received(
                        status(pod, Optional.of(cpus), Optional.of(600.0)), Overcommit.OFF, START.plusSeconds(second)))
                .isTrue();
    }

    private long cpu(String pod, long second) {
        return live.of(pod, START.plusSeconds(second)).orElseThrow().milliCpu();
    }

    @Test
    void whatIsNotKnownToBeIdleCountsAsReserved() {
        var reserved = new Resources(6_000, 5_000);
        uses("a", 1, 0);

        assertThat(live.byNode(START).get("n1").live(reserved)).isEqualTo(new Resources(3_000, 4_600));
        assertThat(live.byNode(START.plus(LiveUse.FRESH)))
                .as("the status is old")
                .isEmpty();
        assertThat(NodeUse.NONE.live(reserved)).isEqualTo(reserved);
    }

    @Test
    void whatAStatusDoesNotReportCountsAsTheSizeAndALoadAboveTheSizeToo() {
        live.received(status("a", Optional.empty(), Optional.empty()), Overcommit.OFF, START);
        assertThat(live.of("a", START)).contains(SIZE);

        uses("b", 9, 0);
        assertThat(cpu("b", 0)).isEqualTo(4_000);
    }

    @Test
    void aPeakFadesWithTimeAndIsNotForgottenAtOnce() {
        uses("a", 1, 0);
        uses("a", 4, 10);
        assertThat(cpu("a", 10)).isBetween(2_400L, 2_600L);

        uses("a", 1, 20);
        long soon = cpu("a", 20);
        for (long second = 40; second <= 1_200; second += 20) {
            uses("a", 1, second);
        }
        assertThat(soon).isBetween(2_000L, 2_600L);
        assertThat(cpu("a", 1_200)).isBetween(1_000L, 1_010L);
    }

    @Test
    void aNodeCountsAVmThatUsesMoreThanItsChargeWithItsUse() {
        live.received(status("a", Optional.of(4.0), Optional.of(1_000.0)), new Overcommit(2_000, 2_000), START);

        assertThat(live.byNode(START).get("n1").live(new Resources(2_000, 500))).isEqualTo(SIZE);
    }

    @Test
    void refusesMoreVmsThanItsLimitUntilOneEnds() {
        uses("a", 1, 0);
        uses("b", 1, 0);
        var third = status("c", Optional.of(1.0), Optional.of(1.0));

        assertThat(live.received(third, Overcommit.OFF, START)).isFalse();
        live.gone("a");
        assertThat(live.received(third, Overcommit.OFF, START)).isTrue();
        live.prune(START.plus(LiveUse.FRESH));
        uses("a", 1, 90);
    }
}
