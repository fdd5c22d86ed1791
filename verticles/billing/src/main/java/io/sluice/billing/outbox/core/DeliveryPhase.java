package io.sluice.billing.outbox.core;

import java.time.Instant;
import java.util.Objects;

/** Where a lane stands between two questions. */
sealed interface DeliveryPhase {
    /** Nothing is asked. */
    record Idle() implements DeliveryPhase {}

    /** The open batch is being closed. */
    record Closing(long number) implements DeliveryPhase {}

    /** The first batch is on its way to the sink. */
    record Sending(long number, Instant deadline) implements DeliveryPhase {
        public Sending {
            Objects.requireNonNull(deadline, "deadline");
        }
    }

    /** The sink did not answer in time. Nothing else is sent before it has: one batch at a time. */
    record Overdue(long number) implements DeliveryPhase {}

    /** A failure is slept off. */
    record Pausing(Instant until) implements DeliveryPhase {
        public Pausing {
            Objects.requireNonNull(until, "until");
        }
    }

    /** For good. */
    record Finished() implements DeliveryPhase {}
}
