package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import java.util.Objects;

/** What came back for a {@link MigrationRequest}. */
public sealed interface MigrationReply {
    /** To a hold or a release. */
    record OfHold(HoldReply reply) implements MigrationReply {
        public OfHold {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** To a mark or an unmark. */
    record OfMark(MarkReply reply) implements MigrationReply {
        public OfMark {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** To a migrate. */
    record OfMigrate(MigrateReply reply) implements MigrationReply {
        public OfMigrate {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** To an end. */
    record OfEnd(EndReply reply) implements MigrationReply {
        public OfEnd {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /**
     * None came: nobody knows whether it was done, or will be.
     *
     * @param error in words
     */
    record Failed(String error) implements MigrationReply {
        public Failed {
            Objects.requireNonNull(error, "error");
        }
    }
}
