package io.sluice.pressure.core.actions;

import io.sluice.messages.pressure.PressureDecision;
import java.util.Objects;

/** An action for the verticle to perform. */
public sealed interface PressureAction {
    /**
     * Requests a snapshot of the ledger.
     *
     * @param number of the request; the reply carries it back
     * @param node the node; empty for all nodes
     */
    record Look(long number, String node) implements PressureAction {
        public Look {
            Objects.requireNonNull(node, "node");
        }
    }

    /**
     * Sends a request of a migration.
     *
     * @param number of the request; the reply carries it back
     * @param migration the migration
     * @param request the request
     */
    record Send(long number, MigrationKey migration, MigrationRequest request) implements PressureAction {
        public Send {
            Objects.requireNonNull(migration, "migration");
            Objects.requireNonNull(request, "request");
        }
    }

    /** Requests a full list. */
    record RequestRelist() implements PressureAction {}

    /** Publishes a decision. */
    record Publish(PressureDecision decision) implements PressureAction {
        public Publish {
            Objects.requireNonNull(decision, "decision");
        }
    }

    /** Counts a notice and logs it. */
    record Record(PressureNotice notice) implements PressureAction {
        public Record {
            Objects.requireNonNull(notice, "notice");
        }
    }
}
