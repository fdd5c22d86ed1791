package io.sluice.billing.outbox.core;

import java.util.Objects;

/** What happens to a lane. Answers carry the number of their question. */
public sealed interface DeliveryEvent {
    /** What the lane holds now: events in its open batch, and closed batches. */
    record Stocked(long open, long batches) implements DeliveryEvent {}

    /** The open batch is closed, or there was nothing in it. */
    record Closed(long number) implements DeliveryEvent {}

    /** The sink has the first batch, and the outbox has it no more. */
    record Sent(long number) implements DeliveryEvent {}

    /** There was no batch to be sent. */
    record NothingThere(long number) implements DeliveryEvent {}

    /** What was asked failed; the label says why in few words. */
    record Failed(long number, String label) implements DeliveryEvent {
        public Failed {
            Objects.requireNonNull(label, "label");
        }
    }

    /** Time has passed. */
    record Woken() implements DeliveryEvent {}

    /** The process ends: what can still be sent is. */
    record Stopping() implements DeliveryEvent {}
}
