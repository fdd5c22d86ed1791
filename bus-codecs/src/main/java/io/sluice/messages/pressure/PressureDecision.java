package io.sluice.messages.pressure;

import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.units.VmId;
import java.util.Objects;
import java.util.Optional;

/**
 * A decision about migrations away from a node, with its reason.
 *
 * @param kind what was decided
 * @param node the node that is or was to be left
 * @param vm which VM; empty where none was found
 * @param to the node with the room; empty where there is none
 * @param numbers the node's pressure; empty where it was not computed
 * @param reason in words, with the numbers of the part that refused
 */
public record PressureDecision(
        Kind kind, String node, Optional<VmId> vm, String to, Optional<PressureNumbers> numbers, String reason) {
    /** What was decided. */
    public enum Kind {
        /** The VM's migration was begun. */
        MOVING,
        /** The VM runs on the other node. */
        MOVED,
        /** A migration that an earlier process or another program began is watched from now on. */
        ADOPTED,
        /** The migration failed, was cancelled or could not be begun; the VM stays. */
        NOT_MOVED,
        /** VMs should leave the node and none is moved, for the given reason. */
        NONE_MOVES
    }

    public PressureDecision {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(numbers, "numbers");
        Objects.requireNonNull(reason, "reason");
    }
}
