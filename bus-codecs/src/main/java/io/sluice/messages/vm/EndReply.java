package io.sluice.messages.vm;

import java.util.Objects;

/** The driver's reply to {@link EndMigration}. No reply at all means the same as {@link Failed}. */
public sealed interface EndReply {
    /** Its deletion was requested, or it is gone: the object itself may take a while to go. */
    record Ended() implements EndReply {}

    /**
     * The object is unchanged, or its state is unknown; another request is safe.
     *
     * @param reason in words
     */
    record Failed(String reason) implements EndReply {
        public Failed {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
