package io.sluice.messages.monitor;

import java.util.Objects;

/** A monitor's reply to {@link ResizeGuest}. */
public sealed interface ResizeReply {
    /** Which reply it is, as a word for traces. */
    default String word() {
        return switch (this) {
            case Accepted _ -> "accepted";
            case Denied _ -> "denied";
            case Failed _ -> "failed";
        };
    }

    /**
     * The monitor agrees.
     *
     * @param status the monitor's own text
     */
    record Accepted(String status) implements ResizeReply {
        public Accepted {
            Objects.requireNonNull(status, "status");
        }
    }

    /**
     * The monitor denies the downscale.
     *
     * @param status the monitor's own text
     */
    record Denied(String status) implements ResizeReply {
        public Denied {
            Objects.requireNonNull(status, "status");
        }
    }

    /**
     * The monitor did not reply in time, or failed, or the session is another.
     *
     * @param reason in words
     */
    record Failed(String reason) implements ResizeReply {
        public Failed {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
