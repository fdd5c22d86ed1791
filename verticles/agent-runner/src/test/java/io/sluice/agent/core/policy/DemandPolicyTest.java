package io.sluice.agent.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.ResourceKind;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DemandPolicyTest {
    private static final int SCRAPE = 5;
    private static final int UNIT = 250;

    private static PolicyConfig config(double recentQuantile, double dailyQuantile) {
        return new PolicyConfig(
                "tested",
                PolicyKind.DEMAND,
                0.995,
                0.2,
                1,
                0.9,
                Duration.ofSeconds(20),
                Duration.ofHours(1),
                recentQuantile,
                7,
                Duration.ofMinutes(10),
                dailyQuantile);
    }

    private static DemandPolicy policy(PolicyConfig config, double... history) {
        return new DemandPolicy(config, ResourceKind.CPU, UNIT, SCRAPE, history);
    }

    private static int cpu(DemandPolicy policy, double cpus) {
        return policy.goal(new Scrape(0, 0, 0, cpus, 0, 1));
    }

    @Test
    void growsAtOnceAndShrinksAfterTheHold() {
        var policy = policy(config(0, 0));

        assertThat(cpu(policy, 0.2)).isEqualTo(1);
        assertThat(cpu(policy, 1.9)).isEqualTo(8);
        for (int held = 0; held < 3; held++) {
            assertThat(cpu(policy, 0.2)).isEqualTo(8);
        }
        assertThat(cpu(policy, 0.2)).isEqualTo(1);
    }

    @Test
    void keepsWhatWasUsualInTheLastHour() {
        var policy = policy(config(0.5, 0), 100, 100, 100, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900);

        assertThat(cpu(policy, 0.1)).isEqualTo(4);
    }

    @Test
    void keepsWhatWasUsualAtThisTimeOfDay() {
        var days = new double[3 * 288];
        for (int i = 0; i < days.length; i++) {
            days[i] = i % 288 < 5 || i % 288 > 283 ? 1_400 : 100;
        }

        assertThat(cpu(policy(config(0, 0.5), days), 0.1)).isEqualTo(6);
        assertThat(cpu(policy(config(0, 0.5), Arrays.copyOf(days, 2 * 288 + 100)), 0.1))
                .isEqualTo(1);
    }

    @Test
    void growingMemoryIsMetAhead() {
        var policy = new DemandPolicy(config(0, 0), ResourceKind.MEMORY, 1_024, SCRAPE, new double[0]);

        assertThat(policy.goal(new Scrape(0, 0, 0, 0, 900, 1))).isEqualTo(1);
        // 960 MiB, and 2 * 60 MiB more by the time that a decision has effect.
        assertThat(policy.goal(new Scrape(5, 0, 0, 0, 960, 1))).isEqualTo(2);
    }
}
