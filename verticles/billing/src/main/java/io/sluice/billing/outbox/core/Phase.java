package io.sluice.billing.outbox.core;

import java.time.Instant;
import java.util.Objects;

/** Where a lane stands between two questions. */
sealed interface Phase {
    /** Nothing is asked. */
    record Idle() implements Phase {}

    /** The open batch is being closed. */
    record Closing(long number) implements Phase {}

    /** The first batch is on its way to the sink. */
    record Sending(long number, Instant deadline) implements Phase {
        public Sending {
            Objects.requireNonNull(deadline, "deadline");
        }
    }

    /** The sink did not answer in time. Nothing else is sent before it has: one batch at a time. */
    record Overdue(long number) implements Phase {}

    /** A failure is slept off. */
    record Pausing(Instant until) implements Phase {
        public Pausing {
            Objects.requireNonNull(until, "until");
        }
    }

    /** For good. */
    record Finished() implements Phase {}
}
