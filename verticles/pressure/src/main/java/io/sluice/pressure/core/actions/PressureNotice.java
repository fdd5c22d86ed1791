package io.sluice.pressure.core.actions;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.pressure.core.choice.Obstacle;
import java.util.Objects;

/** A finding that is counted and logged and has no other effect. */
public sealed interface PressureNotice {
    /** A migration ended. */
    record Ended(MigrationKey migration, MigrationOutcome outcome) implements PressureNotice {
        public Ended {
            Objects.requireNonNull(migration, "migration");
            Objects.requireNonNull(outcome, "outcome");
        }
    }

    /** An examination of a node under pressure found no VM to migrate. */
    record NoneMoves(String node, Obstacle cause) implements PressureNotice {
        public NoneMoves {
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

    /** The ledger refused a mark. */
    record MarkRefused(String node, MarkReply reply) implements PressureNotice {
        public MarkRefused {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(reply, "reply");
        }
    }

    /**
     * A request got no reply.
     *
     * @param vm the VM's namespace and name
     * @param request the request
     * @param error as text
     */
    record NoAnswer(String vm, MigrationRequest request, String error) implements PressureNotice {
        public NoAnswer {
            Objects.requireNonNull(vm, "vm");
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(error, "error");
        }
    }

    /** A VM is marked although there is no migration of it: the mark is removed. */
    record OrphanMarkFound(String node, String namespace, String vmName) implements PressureNotice {
        public OrphanMarkFound {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(vmName, "vmName");
        }
    }

    /** The number of observations has reached its limit: this one is dropped. */
    record TooMany(String what, int most) implements PressureNotice {
        public TooMany {
            Objects.requireNonNull(what, "what");
        }
    }
}
