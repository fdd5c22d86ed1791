package io.sluice.messages.vm;

import java.util.Objects;

/** The driver's answer to {@link MigrateVm}. No answer at all means the same as {@link InDoubt}. */
public sealed interface MigrateReply {
    /**
     * The migration's object is there, made now or by the same question before.
     *
     * @param uid of the object
     * @param version of the object: only a newer list that misses it shows that it is gone
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
     * Nobody knows whether it was or will be begun; asking again is safe.
     *
     * @param reason in words
     */
    record InDoubt(String reason) implements MigrateReply {
        public InDoubt {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
