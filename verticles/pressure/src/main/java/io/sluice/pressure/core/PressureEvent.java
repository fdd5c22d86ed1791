package io.sluice.pressure.core;

import io.sluice.messages.agent.RunnerStatus;
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
import io.sluice.messages.placement.GangState;
import io.sluice.pressure.core.actions.MigrationKey;
import io.sluice.pressure.core.actions.MigrationReply;
import io.sluice.pressure.core.choice.PressureRules;
import java.util.Objects;
import java.util.Optional;

/** An event that the verticle received. */
public sealed interface PressureEvent {
    /** A node's sums changed. */
    record NodeChanged(NodeLedgerView ledger) implements PressureEvent {
        public NodeChanged {
            Objects.requireNonNull(ledger, "ledger");
        }
    }

    /**
     * The reply to a request for a snapshot of the ledger.
     *
     * @param number of the request
     * @param snapshot of the node, or of all nodes
     */
    record Looked(long number, Snapshot snapshot) implements PressureEvent {
        public Looked {
            Objects.requireNonNull(snapshot, "snapshot");
        }
    }

    /**
     * A request for a snapshot of the ledger failed.
     *
     * @param number of the request
     */
    record SnapshotFailed(long number) implements PressureEvent {}

    /** A runner's status of its VM was received. */
    record StatusReceived(RunnerStatus status) implements PressureEvent {
        public StatusReceived {
            Objects.requireNonNull(status, "status");
        }
    }

    /** How far a gang is was published. */
    record GangReceived(GangState gang) implements PressureEvent {
        public GangReceived {
            Objects.requireNonNull(gang, "gang");
        }
    }

    /** A node was observed. */
    record NodeReceived(NodeObserved observation) implements PressureEvent {
        public NodeReceived {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /** A node was deleted. */
    record NodeMissed(NodeGone observation) implements PressureEvent {
        public NodeMissed {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /** A VM was observed. */
    record VmReceived(VmObserved observation) implements PressureEvent {
        public VmReceived {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /** A VM was deleted. */
    record VmMissed(VmGone observation) implements PressureEvent {
        public VmMissed {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /** A pod was observed. */
    record PodReceived(PodObserved observation) implements PressureEvent {
        public PodReceived {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /** A pod ended. */
    record PodMissed(PodGone observation) implements PressureEvent {
        public PodMissed {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /** A migration object was observed. */
    record MigrationReceived(MigrationObserved observation) implements PressureEvent {
        public MigrationReceived {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /** A migration object was deleted. */
    record MigrationMissed(MigrationGone observation) implements PressureEvent {
        public MigrationMissed {
            Objects.requireNonNull(observation, "observation");
        }
    }

    /**
     * A full list is complete.
     *
     * @param migrations the migrations in it; empty where the list does not name them
     */
    record FullListReceived(Optional<ObservedMigrations> migrations) implements PressureEvent {
        public FullListReceived {
            Objects.requireNonNull(migrations, "migrations");
        }
    }

    /**
     * A request for a migration got a reply or failed.
     *
     * @param number of the request
     * @param migration the migration that it was for
     * @param answer the reply
     */
    record Answered(long number, MigrationKey migration, MigrationReply answer) implements PressureEvent {
        public Answered {
            Objects.requireNonNull(migration, "migration");
            Objects.requireNonNull(answer, "answer");
        }
    }

    /** The rules changed. */
    record RulesChanged(PressureRules rules) implements PressureEvent {
        public RulesChanged {
            Objects.requireNonNull(rules, "rules");
        }
    }

    /** Time passed. */
    record Ticked() implements PressureEvent {}
}
