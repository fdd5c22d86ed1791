package io.sluice.pressure.core.migrations;

import java.time.Instant;
import java.util.Objects;

/** Where a migration stands, as far as it is ours to see through. */
public sealed interface MigrationStage {
    /** Room is asked for on the node that is to take the VM. */
    record Holding() implements MigrationStage {}

    /** The room is held; the ledger weighs once more whether the VM is to leave. */
    record Marking() implements MigrationStage {}

    /**
     * The member is marked; its driver is asked, again and again until it is known whether there is an object.
     *
     * @param since when it was asked first
     */
    record Beginning(Instant since) implements MigrationStage {
        public Beginning {
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * Its object is there.
     *
     * @param since when it was begun
     */
    record UnderWay(Instant since) implements MigrationStage {
        public UnderWay {
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * Its object has ended, or is to go: it is watched until it is gone.
     *
     * @param outcome how it ends, unless its object tells otherwise
     * @param reason in words
     */
    record Ending(MigrationOutcome outcome, String reason) implements MigrationStage {
        public Ending {
            Objects.requireNonNull(outcome, "outcome");
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * There certainly is no object; mark and room are taken back.
     *
     * @param outcome how it ended
     */
    record Undoing(MigrationOutcome outcome) implements MigrationStage {
        public Undoing {
            Objects.requireNonNull(outcome, "outcome");
        }
    }

    /** Whether nothing was asked of its driver yet. */
    default boolean beforeBegin() {
        return switch (this) {
            case Holding _, Marking _ -> true;
            case Beginning _, UnderWay _, Ending _, Undoing _ -> false;
        };
    }

    /** One word for people. */
    default String word() {
        return switch (this) {
            case Holding _ -> "holding";
            case Marking _ -> "marking";
            case Beginning _ -> "beginning";
            case UnderWay _ -> "under way";
            case Ending _ -> "ending";
            case Undoing _ -> "undoing";
        };
    }
}
