package io.sluice.pressure.core.choice;

import io.sluice.shell.load.LoadPolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * The rules for all migrations.
 *
 * @param paused whether no migration begins
 * @param policy the order in which VMs leave
 * @param targets by what the node is chosen to which a VM goes
 * @param maxConcurrentPerNode how many VMs may leave one node at once
 * @param maxConcurrent how many migrations may be under way at once
 * @param cooldown for how long no VM migrates again after its last migration
 * @param startTimeout a migration that is not running after this is given up
 * @param completionTimeout a migration that is older than this is given up
 */
public record PressureRules(
        boolean paused,
        Policy policy,
        LoadPolicy targets,
        int maxConcurrentPerNode,
        int maxConcurrent,
        Duration cooldown,
        Duration startTimeout,
        Duration completionTimeout) {
    /** How much longer room is held than a migration may take to start. */
    private static final Duration HELD_BEYOND = Duration.ofSeconds(60);

    /** With targets by what is reserved. */
    public PressureRules(
            boolean paused,
            Policy policy,
            int maxConcurrentPerNode,
            int maxConcurrent,
            Duration cooldown,
            Duration startTimeout,
            Duration completionTimeout) {
        this(
                paused,
                policy,
                LoadPolicy.RESERVED,
                maxConcurrentPerNode,
                maxConcurrent,
                cooldown,
                startTimeout,
                completionTimeout);
    }

    public PressureRules {
        Objects.requireNonNull(targets, "targets");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(cooldown, "cooldown");
        Objects.requireNonNull(startTimeout, "startTimeout");
        Objects.requireNonNull(completionTimeout, "completionTimeout");
    }

    /** Whether anything is decided by what VMs use. */
    public boolean readsUse() {
        return policy == Policy.LOWEST_USE || targets.score().isPresent();
    }

    /** For how long room is held with each request. */
    public Duration holdFor() {
        return startTimeout.plus(HELD_BEYOND);
    }
}
