package io.sluice.pressure.core.choice;

import java.time.Duration;
import java.util.Objects;

/**
 * What holds for all migrations.
 *
 * @param paused whether none is begun
 * @param policy who goes first
 * @param maxConcurrentPerNode how many may leave one node at once
 * @param maxConcurrent how many may be under way at once
 * @param cooldown no VM moves again within this after its last migration
 * @param startTimeout a migration that is not running after this is given up
 * @param completionTimeout a migration that is older than this is given up
 */
public record PressureRules(
        boolean paused,
        Policy policy,
        int maxConcurrentPerNode,
        int maxConcurrent,
        Duration cooldown,
        Duration startTimeout,
        Duration completionTimeout) {
    /** Room is held this much longer than a migration may take to start. */
    private static final Duration HELD_BEYOND = Duration.ofSeconds(60);

    public PressureRules {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(cooldown, "cooldown");
        Objects.requireNonNull(startTimeout, "startTimeout");
        Objects.requireNonNull(completionTimeout, "completionTimeout");
    }

    /** How long room is held at a time. */
    public Duration holdFor() {
        return startTimeout.plus(HELD_BEYOND);
    }
}
