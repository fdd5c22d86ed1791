package io.sluice.agent.core.status;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM's size, goal and permit at one instant, and what it waits for.
 *
 * @param pod the VM, and where it runs
 * @param size the size of its spec
 * @param goal what its load asks for, within its bounds; empty while its load is unknown
 * @param permit what the ledger last reserved for it; empty before its first reply
 * @param basis the numbers that the goal was made from
 * @param cause what keeps it from its goal, if anything
 * @param unit its compute unit; empty while the VM is not served
 */
public record ScalingStatus(
        VmPod pod,
        Resources size,
        Optional<Resources> goal,
        Optional<Resources> permit,
        GoalBasis basis,
        WaitCause cause,
        Optional<Resources> unit) {
    public ScalingStatus {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(goal, "goal");
        Objects.requireNonNull(permit, "permit");
        Objects.requireNonNull(basis, "basis");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(unit, "unit");
    }

    /** The status of a VM of which only its object is known. */
    public static ScalingStatus unserved(VmObserved observed, WaitCause cause) {
        return unserved(VmPod.of(observed), observed.sizes().spec(), Optional.empty(), cause);
    }

    /** The same, with what the ledger reserved for it. */
    public static ScalingStatus unserved(VmPod pod, Resources size, Optional<Resources> reserved, WaitCause cause) {
        return new ScalingStatus(pod, size, Optional.empty(), reserved, GoalBasis.NONE, cause, Optional.empty());
    }

    /** The last known numbers, with another cause. */
    public ScalingStatus because(WaitCause another) {
        if (another == cause) {
            return this;
        }
        return new ScalingStatus(pod, size, goal, permit, basis, another, unit);
    }

    /** Whether a user would see no difference worth a message: the numbers behind are not compared. */
    public boolean equalsReported(ScalingStatus other) {
        return cause.waiting() == other.cause.waiting()
                && cause.stale() == other.cause.stale()
                && pod.equals(other.pod)
                && size.equals(other.size)
                && goal.equals(other.goal)
                && permit.equals(other.permit);
    }

    /** The message, with how long the cause has lasted and why, as of {@code now}. */
    public RunnerStatus status(Duration since, Instant now) {
        return new RunnerStatus(
                pod.vm(),
                pod.node(),
                pod.pod(),
                size,
                goal,
                permit,
                cause.waiting(),
                since,
                basis,
                cause.words().at(now),
                unit);
    }
}
