package io.sluice.pressure.core.migrations;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.pressure.core.choice.Obstacle;
import java.util.Objects;

/** Something that is counted, or that a person may want to read, and nobody acts on. */
public sealed interface PressureNotice {
    /** A migration ended. */
    record Ended(MigrationKey migration, MigrationOutcome outcome) implements PressureNotice {
        public Ended {
            Objects.requireNonNull(migration, "migration");
            Objects.requireNonNull(outcome, "outcome");
        }
    }

    /** A look at a node under pressure found nobody to move. */
    record NobodyMoves(String node, Obstacle cause) implements PressureNotice {
        public NobodyMoves {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** The ledger had no room for a migration. */
    record HoldRefused(String node, HoldReply reply) implements PressureNotice {
        public HoldRefused {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** The ledger did not mark a member. */
    record MarkRefused(String node, MarkReply reply) implements PressureNotice {
        public MarkRefused {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(reply, "reply");
        }
    }

    /**
     * A question was not answered.
     *
     * @param vm whose migration asked, by name
     * @param question what was asked
     * @param error in words
     */
    record NoAnswer(String vm, MigrationRequest question, String error) implements PressureNotice {
        public NoAnswer {
            Objects.requireNonNull(vm, "vm");
            Objects.requireNonNull(question, "question");
            Objects.requireNonNull(error, "error");
        }
    }

    /** A member is marked and no migration of it is known: its mark is taken back. */
    record MarkFoundAlone(String node, String namespace, String vmName) implements PressureNotice {
        public MarkFoundAlone {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(vmName, "vmName");
        }
    }

    /** There are more facts than are kept: this one is not. */
    record TooMany(String what, int most) implements PressureNotice {
        public TooMany {
            Objects.requireNonNull(what, "what");
        }
    }
}
