package io.sluice.messages.placement;

import java.util.Objects;

/** The reply to {@link PlacePod}. */
public sealed interface PlaceReply {
    /** The pod is bound to the node. */
    record Placed() implements PlaceReply {}

    /**
     * The pod was not bound by this request; it may be placed again.
     *
     * @param reason why, in words
     */
    record NotPlaced(String reason) implements PlaceReply {
        public NotPlaced {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The pod may be bound to the node or not. Its room stays held there until the pod was read.
     *
     * @param reason why, in words
     */
    record InDoubt(String reason) implements PlaceReply {
        public InDoubt {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
