package io.sluice.messages.agent;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM's status between its size and its goal. Published at each change, and again every 30 s.
 *
 * @param vm which VM
 * @param node where it runs
 * @param pod the uid of the pod that it runs in
 * @param size the size that it was last patched to
 * @param goal the size that its load asks for, within its bounds; empty while there are no metrics
 * @param permit what the ledger last granted it; empty before the first reply
 * @param waiting what it waits for before it reaches its goal, if anything
 * @param since how long that has been so
 * @param basis the numbers that the goal was made from
 * @param reason in words, with the numbers of the part that refused; empty where there is none
 * @param unit its compute unit; empty while it is unknown
 */
public record RunnerStatus(
        VmId vm,
        String node,
        String pod,
        Resources size,
        Optional<Resources> goal,
        Optional<Resources> permit,
        Waiting waiting,
        Duration since,
        GoalBasis basis,
        String reason,
        Optional<Resources> unit) {
    public RunnerStatus {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(goal, "goal");
        Objects.requireNonNull(permit, "permit");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(basis, "basis");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(unit, "unit");
    }
}
