package io.sluice.billing.outbox.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** An action for a queue. Requests have a number, which their result repeats. */
public sealed interface DeliveryAction {
    /** Close the open batch. */
    record CloseOpen(long number) implements DeliveryAction {}

    /** Send the first batch, and remove it after the sink has accepted it. */
    record SendHead(long number) implements DeliveryAction {}

    /** Send {@link DeliveryEvent.Woken} at that time; replaces an earlier one. */
    record WakeAt(Instant when) implements DeliveryAction {
        public WakeAt {
            Objects.requireNonNull(when, "when");
        }
    }

    /** Record that everything that waited was sent, and how long that took. */
    record RecordDrained(Duration took) implements DeliveryAction {
        public RecordDrained {
            Objects.requireNonNull(took, "took");
        }
    }

    /** Record that it was time to send, and nothing waited. */
    record RecordNothingToSend() implements DeliveryAction {}

    /** Record a failed attempt. It is repeated after the pause, or not at all while stopping. */
    record RecordFailed(String label, Duration pause) implements DeliveryAction {
        public RecordFailed {
            Objects.requireNonNull(label, "label");
            Objects.requireNonNull(pause, "pause");
        }
    }

    /** The queue has stopped; no further action follows. */
    record Finish() implements DeliveryAction {}
}
