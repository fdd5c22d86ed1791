package io.sluice.messages.vm;

import java.util.Objects;

/** The driver's answer to {@link EndMigration}. No answer at all means the same as {@link Failed}. */
public sealed interface EndReply {
    /** Its deletion was asked for, or it is not there: the object itself may take a while to go. */
    record Ended() implements EndReply {}

    /**
     * It is there as before, or nobody knows; asking again is safe.
     *
     * @param reason in words
     */
    record Failed(String reason) implements EndReply {
        public Failed {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
