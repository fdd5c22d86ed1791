package io.sluice.pressure.core.actions;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.MigrateVm;
import java.util.Objects;

/** A request of a migration to the ledger or to a driver. Each may be repeated. */
public sealed interface MigrationRequest {
    /** Makes or renews a hold. */
    record Hold(HoldRoom message) implements MigrationRequest {
        public Hold {
            Objects.requireNonNull(message, "message");
        }
    }

    /** Releases a hold. */
    record Release(ReleaseHold message) implements MigrationRequest {
        public Release {
            Objects.requireNonNull(message, "message");
        }
    }

    /** Sets a mark. */
    record Mark(MarkMigrating message) implements MigrationRequest {
        public Mark {
            Objects.requireNonNull(message, "message");
        }
    }

    /** Removes a mark. */
    record Unmark(UnmarkMigrating message) implements MigrationRequest {
        public Unmark {
            Objects.requireNonNull(message, "message");
        }
    }

    /** Begins a migration. */
    record Migrate(MigrateVm message) implements MigrationRequest {
        public Migrate {
            Objects.requireNonNull(message, "message");
        }
    }

    /** Ends a migration and deletes its object. */
    record End(EndMigration message) implements MigrationRequest {
        public End {
            Objects.requireNonNull(message, "message");
        }
    }

    /** One word for logs and metrics. */
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
