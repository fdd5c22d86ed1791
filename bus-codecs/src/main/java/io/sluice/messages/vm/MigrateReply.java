package io.sluice.messages.vm;

import java.util.Objects;

/** The driver's reply to {@link MigrateVm}. No reply at all means the same as {@link InDoubt}. */
public sealed interface MigrateReply {
    /**
     * The migration's object exists, created now or by an earlier copy of the request.
     *
     * @param uid of the object
     * @param version of the object: only a newer list without it shows that it is gone
     */
    record Begun(String uid, long version) implements MigrateReply {
        public Begun {
            Objects.requireNonNull(uid, "uid");
        }
    }

    /**
     * It was certainly not begun.
     *
     * @param reason in words
     */
    record Refused(String reason) implements MigrateReply {
        public Refused {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * It is not known whether it was or will be begun; another request is safe.
     *
     * @param reason in words
     */
    record InDoubt(String reason) implements MigrateReply {
        public InDoubt {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
