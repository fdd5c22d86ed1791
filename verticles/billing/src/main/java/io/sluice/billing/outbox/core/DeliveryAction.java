package io.sluice.billing.outbox.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** What is to be done for a lane. Questions carry a number that their answer repeats. */
public sealed interface DeliveryAction {
    /** Close the open batch. */
    record CloseOpen(long number) implements DeliveryAction {}

    /** Send the first batch, and remove it once the sink has it. */
    record SendHead(long number) implements DeliveryAction {}

    /** Say when it is that time; replaces what was asked before. */
    record WakeAt(Instant when) implements DeliveryAction {
        public WakeAt {
            Objects.requireNonNull(when, "when");
        }
    }

    /** Everything that waited was sent, and took that long. */
    record NoteDrained(Duration took) implements DeliveryAction {
        public NoteDrained {
            Objects.requireNonNull(took, "took");
        }
    }

    /** It was time to send, and there was nothing. */
    record NoteNothingToSend() implements DeliveryAction {}

    /** A try failed; it is made again after that pause, or not at all while stopping. */
    record NoteFailed(String label, Duration pause) implements DeliveryAction {
        public NoteFailed {
            Objects.requireNonNull(label, "label");
            Objects.requireNonNull(pause, "pause");
        }
    }

    /** Nothing more will be asked: the lane has stopped. */
    record Finish() implements DeliveryAction {}
}
