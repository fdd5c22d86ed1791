package io.sluice.pressure;

import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * The section {@code pressure} of the configuration: who is moved away from full nodes. All of it is taken while
 * running.
 *
 * @param paused true begins no more migrations; those under way go on
 * @param policy who leaves a full node first: lowest-load, oldest or best-fit
 * @param maxConcurrentPerNode how many VMs may be leaving one node at once
 * @param maxConcurrent how many migrations may be under way at once, whoever began them
 * @param cooldown a VM is not moved again within this after its last migration ended
 * @param startTimeout a migration that is not running after this is given up; room for it is held a minute longer
 * @param completionTimeout a migration that is older than this is given up
 */
public record PressureConfig(
        boolean paused,
        PolicyName policy,
        int maxConcurrentPerNode,
        int maxConcurrent,
        Duration cooldown,
        Duration startTimeout,
        Duration completionTimeout) {
    private static final int MOST = 10_000;
    private static final Duration SHORTEST_START = Duration.ofSeconds(1);
    private static final Duration LONGEST_START = Duration.ofMinutes(30);
    private static final Duration LONGEST = Duration.ofDays(1);

    /** What holds where nothing is written. */
    public static final PressureConfig DEFAULTS = new PressureConfig(
            false, PolicyName.LOWEST_LOAD, 2, 10, Duration.ofMinutes(10), Duration.ofSeconds(60), Duration.ofHours(1));

    public PressureConfig {
        Objects.requireNonNull(policy, "pressure.policy");
        requireBetween("cooldown", cooldown, Duration.ZERO, LONGEST);
        requireBetween("startTimeout", startTimeout, SHORTEST_START, LONGEST_START);
        requireBetween("completionTimeout", completionTimeout, SHORTEST_START, LONGEST);
        requireBetween("maxConcurrentPerNode", maxConcurrentPerNode);
        requireBetween("maxConcurrent", maxConcurrent);
        if (policy.policy().isEmpty()) {
            throw new IllegalArgumentException("pressure.policy=" + policy
                    + " needs measurements of the nodes' load, and nothing measures that yet: it must be lowest-load,"
                    + " oldest or best-fit");
        }
        if (maxConcurrentPerNode > maxConcurrent) {
            throw new IllegalArgumentException("pressure.maxConcurrentPerNode=" + maxConcurrentPerNode
                    + " must be at most pressure.maxConcurrent=" + maxConcurrent);
        }
        if (completionTimeout.compareTo(startTimeout) <= 0) {
            throw new IllegalArgumentException("pressure.completionTimeout=" + Durations.text(completionTimeout)
                    + " must exceed pressure.startTimeout=" + Durations.text(startTimeout));
        }
    }

    /** The part that decisions are made by. */
    PressureRules rules() {
        return new PressureRules(
                paused,
                policy.policy().orElseThrow(),
                maxConcurrentPerNode,
                maxConcurrent,
                cooldown,
                startTimeout,
                completionTimeout);
    }

    private static void requireBetween(String key, Duration value, Duration least, Duration most) {
        Objects.requireNonNull(value, "pressure." + key);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException("pressure." + key + "=" + Durations.text(value) + " must be between "
                    + Durations.text(least) + " and " + Durations.text(most));
        }
    }

    private static void requireBetween(String key, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException("pressure." + key + "=" + value + " must be between 1 and " + MOST);
        }
    }
}
