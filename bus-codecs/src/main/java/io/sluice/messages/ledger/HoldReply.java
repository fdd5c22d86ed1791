package io.sluice.messages.ledger;

import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.GpuGrant;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** The ledger's reply to {@link HoldRoom} and {@link ReleaseHold}; each of these may be repeated. */
public sealed interface HoldReply {
    /**
     * The room is held.
     *
     * @param remaining how long from now, unless it is requested again or confirmed
     * @param gpus those that the ledger has chosen; a repeat gets the same
     */
    record Held(Duration remaining, GpuGrant gpus) implements HoldReply {
        public Held {
            Objects.requireNonNull(remaining, "remaining");
            Objects.requireNonNull(gpus, "gpus");
        }

        /** Room without GPUs. */
        public Held(Duration remaining) {
            this(remaining, GpuGrant.NONE);
        }
    }

    /** The pod is bound to the node and has a reservation there. */
    record Bound() implements HoldReply {}

    /** Nothing is held for that attempt any more, and nothing will be. */
    record Released() implements HoldReply {}

    /** There is no such hold: it was never made, was released, or expired. Nothing changed. */
    record NoSuchHold() implements HoldReply {}

    /**
     * The node does not have that much room; nothing changed.
     *
     * @param shortBy by how much the node would be above its total, in each kind
     * @param reserved what the node has reserved
     * @param total what the node can give
     * @param shortOf by how much the node would be above its total in the other kinds
     */
    record NoRoom(Resources shortBy, Resources reserved, Resources total, FixedAmounts shortOf) implements HoldReply {
        public NoRoom {
            Objects.requireNonNull(shortBy, "shortBy");
            Objects.requireNonNull(reserved, "reserved");
            Objects.requireNonNull(total, "total");
            Objects.requireNonNull(shortOf, "shortOf");
        }

        /** Of a node that is short of CPU or memory alone. */
        public NoRoom(Resources shortBy, Resources reserved, Resources total) {
            this(shortBy, reserved, total, FixedAmounts.NONE);
        }
    }

    /**
     * The node has no GPU or NUMA zone for the pod; nothing changed.
     *
     * @param misfit why
     */
    record NoDevice(DeviceMisfit misfit) implements HoldReply {
        public NoDevice {
            Objects.requireNonNull(misfit, "misfit");
        }
    }

    /**
     * What the node has left is kept for a pod of the same or a higher priority; nothing changed.
     *
     * @param pod which, as {@code namespace/name}
     */
    record RoomKept(String pod) implements HoldReply {
        public RoomKept {
            Objects.requireNonNull(pod, "pod");
        }
    }

    /**
     * The node's ledger state is not ready; nothing changed.
     *
     * @param cause why
     */
    record NotReady(NotReadyCause cause) implements HoldReply {
        public NotReady {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * The state that the request names was lost; nothing changed. A sender that still needs the room requests it again.
     *
     * @param completedAt when the present state was completed
     */
    record StateReplaced(Instant completedAt) implements HoldReply {
        public StateReplaced {
            Objects.requireNonNull(completedAt, "completedAt");
        }
    }

    /** The node's condition Ready is False or Unknown, so no new room is held there. Nothing changed. */
    record NodeNotReady() implements HoldReply {}

    /** The pod has ended; nothing changed. */
    record Gone() implements HoldReply {}

    /** The attempt was given up before, so nothing is held for it again. Nothing changed. */
    record AttemptOver() implements HoldReply {}

    /**
     * Room is held under that name for another attempt; nothing changed.
     *
     * @param attempt which
     */
    record OfAnother(String attempt) implements HoldReply {
        public OfAnother {
            AttemptId.checkedOrNone(attempt);
        }
    }

    /** The sums overflow; nothing changed. */
    record Overflow() implements HoldReply {}
}
