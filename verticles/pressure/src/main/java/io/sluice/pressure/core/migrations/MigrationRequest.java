package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.MigrateVm;
import java.util.Objects;

/** Something asked of the ledger or of a driver; each may be repeated. */
public sealed interface MigrationRequest {
    /** Room is wanted, or to be kept. */
    record Hold(HoldRoom message) implements MigrationRequest {
        public Hold {
            Objects.requireNonNull(message, "message");
        }
    }

    /** Room is given back. */
    record Release(ReleaseHold message) implements MigrationRequest {
        public Release {
            Objects.requireNonNull(message, "message");
        }
    }

    /** A member is to be marked. */
    record Mark(MarkMigrating message) implements MigrationRequest {
        public Mark {
            Objects.requireNonNull(message, "message");
        }
    }

    /** A mark is taken back. */
    record Unmark(UnmarkMigrating message) implements MigrationRequest {
        public Unmark {
            Objects.requireNonNull(message, "message");
        }
    }

    /** A migration is to begin. */
    record Migrate(MigrateVm message) implements MigrationRequest {
        public Migrate {
            Objects.requireNonNull(message, "message");
        }
    }

    /** A migration's object is to go. */
    record End(EndMigration message) implements MigrationRequest {
        public End {
            Objects.requireNonNull(message, "message");
        }
    }

    /** One word for people and metrics. */
    default String word() {
        return switch (this) {
            case Hold _ -> "hold";
            case Release _ -> "release";
            case Mark _ -> "mark";
            case Unmark _ -> "unmark";
            case Migrate _ -> "migrate";
            case End _ -> "end";
        };
    }
}
