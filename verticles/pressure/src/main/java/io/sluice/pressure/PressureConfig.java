package io.sluice.pressure;

import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.shell.config.Durations;
import io.sluice.shell.load.LoadPolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * The section {@code pressure} of the configuration: which VMs are migrated away from full nodes. All keys can change
 * while running.
 *
 * @param paused whether no new migrations begin; those under way go on
 * @param policy which VM leaves a full node first: the one with the {@code lowest-load} in its last permit request,
 *     with the {@code lowest-use} of the last minutes, the {@code oldest}, or the {@code best-fit};
 *     {@code live-pressure} is refused
 * @param targets by what the node is chosen to which a VM goes: the least {@code reserved}, or by what is in use on
 *     nodes now, to {@code pack} VMs or to {@code spread} them, as {@code placement.policy} does
 * @param maxConcurrentPerNode the most VMs that may be leaving one node at once
 * @param maxConcurrent the most migrations under way at once, including those that other programs began
 * @param cooldown the time after a migration's end in which its VM is not migrated again
 * @param startTimeout how long a migration may take until it runs; its hold lasts a minute longer
 * @param completionTimeout the age at which a migration is given up
 */
public record PressureConfig(
        boolean paused,
        Policy policy,
        LoadPolicy targets,
        int maxConcurrentPerNode,
        int maxConcurrent,
        Duration cooldown,
        Duration startTimeout,
        Duration completionTimeout) {
    private static final int MOST = 10_000;
    private static final Duration SHORTEST_START = Duration.ofSeconds(1);
    private static final Duration LONGEST_START = Duration.ofMinutes(30);
    private static final Duration LONGEST = Duration.ofDays(1);

    /** The defaults. */
    public static final PressureConfig DEFAULTS = new PressureConfig(
            false,
            Policy.LOWEST_LOAD,
            LoadPolicy.RESERVED,
            2,
            10,
            Duration.ofMinutes(10),
            Duration.ofSeconds(60),
            Duration.ofHours(1));

    public PressureConfig {
        Objects.requireNonNull(policy, "pressure.policy");
        Objects.requireNonNull(targets, "pressure.targets");
        requireBetween("cooldown", cooldown, Duration.ZERO, LONGEST);
        requireBetween("startTimeout", startTimeout, SHORTEST_START, LONGEST_START);
        requireBetween("completionTimeout", completionTimeout, SHORTEST_START, LONGEST);
        requireBetween("maxConcurrentPerNode", maxConcurrentPerNode);
        requireBetween("maxConcurrent", maxConcurrent);
        if (maxConcurrentPerNode > maxConcurrent) {
            throw new IllegalArgumentException("pressure.maxConcurrentPerNode=" + maxConcurrentPerNode
                    + " must be at most pressure.maxConcurrent=" + maxConcurrent);
        }
        if (completionTimeout.compareTo(startTimeout) <= 0) {
            throw new IllegalArgumentException("pressure.completionTimeout=" + Durations.text(completionTimeout)
                    + " must exceed pressure.startTimeout=" + Durations.text(startTimeout));
        }
    }

    /** The rules for decisions. */
    public PressureRules rules() {
        return new PressureRules(
                paused,
                policy,
                targets,
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
