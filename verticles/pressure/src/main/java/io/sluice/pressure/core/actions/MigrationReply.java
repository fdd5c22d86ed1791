package io.sluice.pressure.core.actions;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import java.util.Objects;

/** The reply to a {@link MigrationRequest}. */
public sealed interface MigrationReply {
    /** The reply to a hold or a release. */
    record OfHold(HoldReply reply) implements MigrationReply {
        public OfHold {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** The reply to a mark or an unmark. */
    record OfMark(MarkReply reply) implements MigrationReply {
        public OfMark {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** The reply to a request to migrate. */
    record OfMigrate(MigrateReply reply) implements MigrationReply {
        public OfMigrate {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** The reply to a request to end. */
    record OfEnd(EndReply reply) implements MigrationReply {
        public OfEnd {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /**
     * No reply came. The request may or may not have been carried out, or may be later.
     *
     * @param error as text
     */
    record Failed(String error) implements MigrationReply {
        public Failed {
            Objects.requireNonNull(error, "error");
        }
    }
}
