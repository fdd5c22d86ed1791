package io.sluice.pressure.core.moving;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import java.util.Objects;

/** What came back for a {@link Question}. */
public sealed interface Answer {
    /** To a hold or a release. */
    record OfHold(HoldReply reply) implements Answer {
        public OfHold {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** To a mark or an unmark. */
    record OfMark(MarkReply reply) implements Answer {
        public OfMark {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** To a migrate. */
    record OfMigrate(MigrateReply reply) implements Answer {
        public OfMigrate {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** To an end. */
    record OfEnd(EndReply reply) implements Answer {
        public OfEnd {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /**
     * None came: nobody knows whether it was done, or will be.
     *
     * @param error in words
     */
    record Lost(String error) implements Answer {
        public Lost {
            Objects.requireNonNull(error, "error");
        }
    }
}
