package io.sluice.messages.agent;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Where one VM stands between the size it has and the size it should have. Said at each change, and again every while.
 *
 * @param vm which VM
 * @param node where it runs
 * @param member the pod that it runs in, by uid
 * @param size what it was told to be
 * @param goal what its load asks for, within its bounds; empty while nothing is known of its load
 * @param permit what the ledger last booked for it; empty before its first answer
 * @param waiting what keeps it from its goal, if anything
 * @param since how long that has been so
 * @param basis the numbers that the goal was made from
 * @param reason in words, with the numbers of whoever refused; empty where there is nothing to say
 */
public record RunnerStatus(
        VmId vm,
        String node,
        String member,
        Resources size,
        Optional<Resources> goal,
        Optional<Resources> permit,
        Waiting waiting,
        Duration since,
        GoalBasis basis,
        String reason) {
    public RunnerStatus {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(goal, "goal");
        Objects.requireNonNull(permit, "permit");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(basis, "basis");
        Objects.requireNonNull(reason, "reason");
    }
}
