package io.sluice.billing.outbox.core;

import java.util.Objects;

/** An event of a queue. Results have the number of their request. */
public sealed interface DeliveryEvent {
    /** The present contents of the queue: events in its open batch, and closed batches. */
    record Stocked(long open, long batches) implements DeliveryEvent {}

    /** The open batch is closed, or was empty. */
    record Closed(long number) implements DeliveryEvent {}

    /** The sink has accepted the first batch, and it is removed from the outbox. */
    record Sent(long number) implements DeliveryEvent {}

    /** There was no batch to send. */
    record NothingThere(long number) implements DeliveryEvent {}

    /** A request failed; the label names the cause. */
    record Failed(long number, String label) implements DeliveryEvent {
        public Failed {
            Objects.requireNonNull(label, "label");
        }
    }

    /** The timer has fired. */
    record Woken() implements DeliveryEvent {}

    /** The process stops: what can still be sent is sent. */
    record Stopping() implements DeliveryEvent {}
}
