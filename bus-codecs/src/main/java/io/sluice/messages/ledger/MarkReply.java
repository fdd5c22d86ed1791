package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/** The ledger's answer to {@link MarkMigrating} and {@link UnmarkMigrating}. */
public sealed interface MarkReply {
    /**
     * The member is marked; what it has reserved can only become less until the mark is taken back.
     *
     * @param reserved what it has reserved, in its own scale
     */
    record Marked(Resources reserved) implements MarkReply {
        public Marked {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /**
     * The member is not, or no longer, marked for that migration.
     *
     * @param reserved what it has reserved, in its own scale
     */
    record Unmarked(Resources reserved) implements MarkReply {
        public Unmarked {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /**
     * The rule does not hold any more: the node is not under pressure beyond what is accounted for. Nothing changed.
     *
     * @param numbers what was weighed
     */
    record NotPressed(PressureNumbers numbers) implements MarkReply {
        public NotPressed {
            Objects.requireNonNull(numbers, "numbers");
        }
    }

    /**
     * The member has grown beyond the room that is held for it. Nothing changed.
     *
     * @param reserved what it has reserved, in its own scale
     */
    record Outgrown(Resources reserved) implements MarkReply {
        public Outgrown {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /**
     * It cannot be marked; nothing changed.
     *
     * @param cause why
     */
    record Refused(RefusalCause cause) implements MarkReply {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
