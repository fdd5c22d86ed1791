package io.sluice.messages.agent;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Something happened to a VM's size that a person would want to see, with its reason.
 *
 * @param kind what happened
 * @param vm which VM
 * @param node where it runs
 * @param from its size before
 * @param to its size after: asked for, where it was not granted
 * @param reaction from the sample or cry that raised the goal to the acknowledged patch; only for
 *     {@link Kind#SCALED_UP}
 * @param basis the numbers that the goal was made from
 * @param reason in words, with the numbers of whoever refused
 */
public record Decision(
        Kind kind,
        VmId vm,
        String node,
        Resources from,
        Resources to,
        Optional<Duration> reaction,
        GoalBasis basis,
        String reason) {
    /** What happened. */
    public enum Kind {
        /** The VM was patched to more, in some kind, and less in none. */
        SCALED_UP,
        /** The VM was patched to less in some kind. */
        SCALED_DOWN,
        /** The ledger granted less than was asked. */
        DENIED,
        /** The monitor refused to shrink. */
        VETOED,
        /** The monitor cried for memory. */
        CRIED,
        /** The runner stopped, as somebody else speaks for the VM. */
        SUPERSEDED,
        /** An annotation of the VM is no good: its last good value stays in force. */
        CONFIG_REFUSED
    }

    public Decision {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(reaction, "reaction");
        Objects.requireNonNull(basis, "basis");
        Objects.requireNonNull(reason, "reason");
    }
}
