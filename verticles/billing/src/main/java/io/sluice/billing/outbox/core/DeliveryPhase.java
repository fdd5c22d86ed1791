package io.sluice.billing.outbox.core;

import java.time.Instant;
import java.util.Objects;

/** The phase of a queue's delivery. */
sealed interface DeliveryPhase {
    /** No request is under way. */
    record Idle() implements DeliveryPhase {}

    /** The open batch is being closed. */
    record Closing(long number) implements DeliveryPhase {}

    /** The first batch is being sent to the sink. */
    record Sending(long number, Instant deadline) implements DeliveryPhase {
        public Sending {
            Objects.requireNonNull(deadline, "deadline");
        }
    }

    /** The sink did not reply in time. Nothing else is sent before it has replied: one batch at a time. */
    record Overdue(long number) implements DeliveryPhase {}

    /** Waits after a failure. */
    record Pausing(Instant until) implements DeliveryPhase {
        public Pausing {
            Objects.requireNonNull(until, "until");
        }
    }

    /** The delivery has ended. */
    record Finished() implements DeliveryPhase {}
}
