package io.sluice.pressure.core.migrations;

import io.sluice.messages.pressure.PressureDecision;
import java.util.Objects;

/** What the shell is to do. */
public sealed interface PressureAction {
    /**
     * The books of a node are wanted.
     *
     * @param number of the question; its answer carries it back
     * @param node which; empty for all
     */
    record Look(long number, String node) implements PressureAction {
        public Look {
            Objects.requireNonNull(node, "node");
        }
    }

    /**
     * Something is asked for a migration.
     *
     * @param number of the question; its answer carries it back
     * @param migration which
     * @param question what
     */
    record Send(long number, MigrationKey migration, MigrationRequest question) implements PressureAction {
        public Send {
            Objects.requireNonNull(migration, "migration");
            Objects.requireNonNull(question, "question");
        }
    }

    /** Every fact is wanted again. */
    record RequestRelist() implements PressureAction {}

    /** Everybody who listens is to know. */
    record Publish(PressureDecision decision) implements PressureAction {
        public Publish {
            Objects.requireNonNull(decision, "decision");
        }
    }

    /** Is to be counted, or read by people. */
    record Note(PressureNotice notice) implements PressureAction {
        public Note {
            Objects.requireNonNull(notice, "notice");
        }
    }
}
