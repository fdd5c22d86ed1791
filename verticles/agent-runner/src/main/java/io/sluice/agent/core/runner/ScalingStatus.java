package io.sluice.agent.core.runner;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a VM stands between the size it has and the size that its load asks for, at one instant.
 *
 * @param member the VM, and where it runs
 * @param size what it was told to be
 * @param goal what its load asks for, within its bounds; empty while nothing is known of its load
 * @param permit what the ledger last booked for it; empty before its first answer
 * @param basis the numbers that the goal was made from
 * @param cause what keeps it from its goal, if anything
 */
public record ScalingStatus(
        VmPod member,
        Resources size,
        Optional<Resources> goal,
        Optional<Resources> permit,
        GoalBasis basis,
        WaitCause cause) {
    public ScalingStatus {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(goal, "goal");
        Objects.requireNonNull(permit, "permit");
        Objects.requireNonNull(basis, "basis");
        Objects.requireNonNull(cause, "cause");
    }

    /** Of a VM that nothing but its object is known of. */
    public static ScalingStatus unserved(VmObserved seen, WaitCause cause) {
        return new ScalingStatus(
                VmPod.of(seen), seen.sizes().spec(), Optional.empty(), Optional.empty(), GoalBasis.NONE, cause);
    }

    /** The last known numbers, with another cause. */
    public ScalingStatus because(WaitCause another) {
        if (another == cause) {
            return this;
        }
        return new ScalingStatus(member, size, goal, permit, basis, another);
    }

    /** Whether a person would see no difference worth a message: the numbers behind are not looked at. */
    public boolean says(ScalingStatus other) {
        return cause.waiting() == other.cause.waiting()
                && cause.stale() == other.cause.stale()
                && member.equals(other.member)
                && size.equals(other.size)
                && goal.equals(other.goal)
                && permit.equals(other.permit);
    }

    /** The message, with what can be said now of how long it has been so and why. */
    public RunnerStatus status(Duration since, Instant now) {
        return new RunnerStatus(
                member.vm(),
                member.node(),
                member.pod(),
                size,
                goal,
                permit,
                cause.waiting(),
                since,
                basis,
                cause.words().at(now));
    }
}
