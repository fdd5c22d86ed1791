package io.sluice.pressure.core;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.ObservedMigrations;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.migrations.MigrationKey;
import io.sluice.pressure.core.migrations.MigrationReply;
import java.util.Objects;
import java.util.Optional;

/** What the shell heard. */
public sealed interface PressureEvent {
    /** A node's sums changed. */
    record NodeChanged(NodeLedgerView books) implements PressureEvent {
        public NodeChanged {
            Objects.requireNonNull(books, "books");
        }
    }

    /**
     * Books that were asked for.
     *
     * @param number of the question
     * @param books of the node, or of all
     */
    record Looked(long number, Snapshot books) implements PressureEvent {
        public Looked {
            Objects.requireNonNull(books, "books");
        }
    }

    /**
     * Books that were asked for did not come.
     *
     * @param number of the question
     */
    record SnapshotFailed(long number) implements PressureEvent {}

    /** A node exists. */
    record NodeReceived(NodeObserved fact) implements PressureEvent {
        public NodeReceived {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /** A node was deleted. */
    record NodeMissed(NodeGone fact) implements PressureEvent {
        public NodeMissed {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /** A VM exists. */
    record VmReceived(VmObserved fact) implements PressureEvent {
        public VmReceived {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /** A VM was deleted. */
    record VmMissed(VmGone fact) implements PressureEvent {
        public VmMissed {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /** A pod is bound. */
    record PodReceived(PodObserved fact) implements PressureEvent {
        public PodReceived {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /** A pod ended. */
    record PodMissed(PodGone fact) implements PressureEvent {
        public PodMissed {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /** A migration's object exists. */
    record MigrationReceived(MigrationObserved fact) implements PressureEvent {
        public MigrationReceived {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /** A migration's object was deleted. */
    record MigrationMissed(MigrationGone fact) implements PressureEvent {
        public MigrationMissed {
            Objects.requireNonNull(fact, "fact");
        }
    }

    /**
     * A full listing is through.
     *
     * @param migrations which migrations it held; empty where it does not say
     */
    record FullListReceived(Optional<ObservedMigrations> migrations) implements PressureEvent {
        public FullListReceived {
            Objects.requireNonNull(migrations, "migrations");
        }
    }

    /**
     * A question of a migration was answered, or was not.
     *
     * @param number of the question
     * @param migration whose it was
     * @param answer what came
     */
    record Answered(long number, MigrationKey migration, MigrationReply answer) implements PressureEvent {
        public Answered {
            Objects.requireNonNull(migration, "migration");
            Objects.requireNonNull(answer, "answer");
        }
    }

    /** Other rules hold from now on. */
    record RulesChanged(PressureRules rules) implements PressureEvent {
        public RulesChanged {
            Objects.requireNonNull(rules, "rules");
        }
    }

    /** Time passed. */
    record Ticked() implements PressureEvent {}
}
