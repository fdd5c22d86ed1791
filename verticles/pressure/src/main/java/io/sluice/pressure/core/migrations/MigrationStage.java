package io.sluice.pressure.core.migrations;

import io.sluice.pressure.core.actions.MigrationOutcome;
import java.time.Instant;
import java.util.Objects;

/** The stage of a migration. */
public sealed interface MigrationStage {
    /** Room is requested on the target node. */
    record Holding() implements MigrationStage {}

    /** The room is held. The ledger checks with the mark whether the VM still has to leave. */
    record Marking() implements MigrationStage {}

    /**
     * The VM is marked. Its driver gets the request until it is certain whether there is an object.
     *
     * @param since when the first request was sent
     */
    record Beginning(Instant since) implements MigrationStage {
        public Beginning {
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * Its object exists.
     *
     * @param since when it began
     */
    record UnderWay(Instant since) implements MigrationStage {
        public UnderWay {
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * Its object has ended or is to be removed. It is followed until it is gone.
     *
     * @param outcome the outcome, unless the object shows another
     * @param reason as text
     */
    record Ending(MigrationOutcome outcome, String reason) implements MigrationStage {
        public Ending {
            Objects.requireNonNull(outcome, "outcome");
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * There certainly is no object. Mark and hold are removed.
     *
     * @param outcome the outcome
     */
    record Undoing(MigrationOutcome outcome) implements MigrationStage {
        public Undoing {
            Objects.requireNonNull(outcome, "outcome");
        }
    }

    /** Whether its driver got no request yet. */
    default boolean beforeBegin() {
        return switch (this) {
            case Holding _, Marking _ -> true;
            case Beginning _, UnderWay _, Ending _, Undoing _ -> false;
        };
    }

    /** One or two words for the dump. */
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
