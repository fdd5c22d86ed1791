package io.sluice.messages.agent;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Something happened to a VM's size that an operator may want to see, with its reason.
 *
 * @param kind what happened
 * @param vm which VM
 * @param node where it runs
 * @param from its size before
 * @param to its size after; the requested size where it was not granted
 * @param reaction from the sample or upscale request that raised the goal to the acknowledged patch; only for
 *     {@link Kind#SCALED_UP}
 * @param basis the numbers that the goal was made from
 * @param reason in words, with the numbers of the part that refused
 * @param count how many equal decisions it stands for: itself, and those before it that were not reported
 */
public record Decision(
        Kind kind,
        VmId vm,
        String node,
        Resources from,
        Resources to,
        Optional<Duration> reaction,
        GoalBasis basis,
        String reason,
        int count) {
    /** What happened. */
    public enum Kind {
        /** The VM was patched to more of some kind, and less of none. */
        SCALED_UP,
        /** The VM was patched to less of some kind. */
        SCALED_DOWN,
        /** The ledger granted less than was requested. */
        DENIED,
        /** The monitor denied a downscale. */
        DOWNSCALE_DENIED,
        /** The monitor sent an upscale request. */
        UPSCALE_REQUESTED,
        /** The runner stopped, as another runner opened a session for the VM. */
        SUPERSEDED,
        /** An annotation of the VM is invalid: its last valid value stays in force. */
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
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1: " + count);
        }
    }
}
