package io.sluice.pressure.core;

import io.sluice.messages.cluster.ListedMigrations;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.pressure.core.choosing.Rules;
import io.sluice.pressure.core.moving.Answer;
import io.sluice.pressure.core.moving.MigrationKey;
import java.util.Objects;
import java.util.Optional;

/** What the shell heard. */
public sealed interface PressureEvent {
    /** A node's sums changed. */
    record NodeChanged(NodeBooks books) implements PressureEvent {
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
    record LookLost(long number) implements PressureEvent {}

    /** A node exists. */
    record NodeHeard(NodeSeen fact) implements PressureEvent {
        public NodeHeard {
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
    record VmHeard(VmSeen fact) implements PressureEvent {
        public VmHeard {
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
    record PodHeard(PodSeen fact) implements PressureEvent {
        public PodHeard {
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
    record MigrationHeard(MigrationSeen fact) implements PressureEvent {
        public MigrationHeard {
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
    record ListingHeard(Optional<ListedMigrations> migrations) implements PressureEvent {
        public ListingHeard {
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
    record Answered(long number, MigrationKey migration, Answer answer) implements PressureEvent {
        public Answered {
            Objects.requireNonNull(migration, "migration");
            Objects.requireNonNull(answer, "answer");
        }
    }

    /** Other rules hold from now on. */
    record RulesChanged(Rules rules) implements PressureEvent {
        public RulesChanged {
            Objects.requireNonNull(rules, "rules");
        }
    }

    /** Time passed. */
    record Ticked() implements PressureEvent {}
}
