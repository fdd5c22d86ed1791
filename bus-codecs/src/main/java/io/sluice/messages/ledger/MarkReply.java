package io.sluice.messages.ledger;

import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.util.Objects;

/** The ledger's reply to {@link MarkMigrating} and {@link UnmarkMigrating}. */
public sealed interface MarkReply {
    /**
     * The reservation is marked; it can only become less until the mark is removed.
     *
     * @param reserved the reservation, before overcommit
     */
    record Marked(Resources reserved) implements MarkReply {
        public Marked {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /**
     * The reservation is not, or no longer, marked for that migration.
     *
     * @param reserved the reservation, before overcommit
     */
    record Unmarked(Resources reserved) implements MarkReply {
        public Unmarked {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /**
     * The node is not under pressure beyond what is accounted. Nothing changed.
     *
     * @param numbers the pressure's numbers
     */
    record NotPressed(PressureNumbers numbers) implements MarkReply {
        public NotPressed {
            Objects.requireNonNull(numbers, "numbers");
        }
    }

    /**
     * The reservation has grown beyond the room that is held at the target. Nothing changed.
     *
     * @param reserved the reservation, before overcommit
     */
    record Outgrown(Resources reserved) implements MarkReply {
        public Outgrown {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /**
     * The reservation cannot be marked; nothing changed.
     *
     * @param cause why
     */
    record Refused(RefusalCause cause) implements MarkReply {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
