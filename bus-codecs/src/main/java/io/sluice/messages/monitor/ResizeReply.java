package io.sluice.messages.monitor;

import java.util.Objects;

/** A monitor's answer to {@link ResizeGuest}. */
public sealed interface ResizeReply {
    /**
     * It will do.
     *
     * @param status the monitor's own words
     */
    record Accepted(String status) implements ResizeReply {
        public Accepted {
            Objects.requireNonNull(status, "status");
        }
    }

    /**
     * It will not shrink.
     *
     * @param status the monitor's own words
     */
    record Denied(String status) implements ResizeReply {
        public Denied {
            Objects.requireNonNull(status, "status");
        }
    }

    /**
     * It did not answer in time, or failed, or the session is another.
     *
     * @param reason in words
     */
    record Failed(String reason) implements ResizeReply {
        public Failed {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
