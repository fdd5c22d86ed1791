package io.sluice.ledger.core;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.UnmarkMigrating;
import java.time.Duration;
import java.time.Instant;

/**
 * Everything that can be done to a node's books. A command is a value: it may be sent to where the books are, and
 * repeated. {@link NodeLedger} runs it.
 *
 * @param <A> the kind of reply
 */
public sealed interface LedgerCommand<A> {
    /**
     * The books after the command; called by {@link NodeLedger} alone, which guards it.
     *
     * @throws ArithmeticException when a sum would overflow
     */
    CommandOutcome<A> on(NodeState state, LedgerRules rules, Instant now);

    /** The reply when a sum would overflow: nothing has changed then. */
    A overflow(NodeState state);

    /** Whether it may book more than the node has, because it tells what is so already. */
    default boolean mayForce(NodeState state, LedgerRules rules) {
        return false;
    }

    /** Whether somebody acts on the reply; facts and the passing of time are followed by others like them. */
    default boolean isAnswered() {
        return !(this instanceof Observe || this instanceof Tick || this instanceof Reweigh);
    }

    /** A runner wants to speak for a member. */
    record Open(OpenSession question) implements LedgerCommand<OpenReply> {
        @Override
        public CommandOutcome<OpenReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Sessions.open(state, question);
        }

        @Override
        public OpenReply overflow(NodeState state) {
            return new OpenReply.Refused(RefusalCause.OVERFLOW);
        }
    }

    /**
     * A runner asks or tells.
     *
     * @param question what it asks
     * @param startsMoving whether the member's migration begins with this very answer: the answer says so and grants
     *     nothing more; the mark follows by its own command
     */
    record RequestPermit(PermitRequest question, boolean startsMoving) implements LedgerCommand<PermitReply> {
        /** A question that begins no migration. */
        public RequestPermit(PermitRequest question) {
            this(question, false);
        }

        @Override
        public CommandOutcome<PermitReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PermitRules.ask(state, this, rules, now);
        }

        @Override
        public PermitReply overflow(NodeState state) {
            return new PermitReply.Refused(RefusalCause.OVERFLOW);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return state.members()
                    .find(question.member())
                    .map(member -> PermitRules.trusts(member, rules))
                    .orElse(false);
        }
    }

    /** All members of the node, from one consistent listing. */
    record Load(LoadNode listing) implements LedgerCommand<LoadReply> {
        @Override
        public CommandOutcome<LoadReply> on(NodeState state, LedgerRules rules, Instant now) {
            return FullListRules.load(state, listing, rules, now);
        }

        @Override
        public LoadReply overflow(NodeState state) {
            return FullListRules.counted(state);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /** A member that nobody was heard of was read once its fence was claimed and no permit could be used any more. */
    record ReclaimReservation(Reclaim read) implements LedgerCommand<ReclaimReply> {
        @Override
        public CommandOutcome<ReclaimReply> on(NodeState state, LedgerRules rules, Instant now) {
            return FullListRules.settle(state, read, rules, now);
        }

        @Override
        public ReclaimReply overflow(NodeState state) {
            return new ReclaimReply.NotRecovered();
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /** The node exists. */
    record SeeNode(NodeObserved fact) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return NodeObservationRules.seen(state, fact, rules, now);
        }
    }

    /** The node is gone. */
    record LoseNode(NodeGone fact) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return NodeObservationRules.gone(state, fact, now);
        }
    }

    /** A pod is bound to the node. */
    record SeePod(PodObserved fact) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PodObservationRules.seen(state, fact, rules, now);
        }
    }

    /** A pod is gone for good. */
    record LosePod(PodGone fact) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PodObservationRules.gone(state, fact);
        }
    }

    /** A VM runs in a pod of the node. */
    record SeeVm(VmObserved fact) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return VmObservationRules.seen(state, fact, rules);
        }
    }

    /** Something that is so whether there is room for it or not. */
    sealed interface Observe extends LedgerCommand<ObservationReply> permits SeeNode, LoseNode, SeePod, LosePod, SeeVm {
        @Override
        default ObservationReply overflow(NodeState state) {
            return ObservationReply.OVERFLOW;
        }

        @Override
        default boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /**
     * Room for a member that is to be bound: all of it or nothing. Held already, it lives longer.
     *
     * @param booking the room
     * @param ttl how long it stands without being confirmed
     * @param attempt of the migration that it is for; {@link AttemptId#NONE} for a pod's
     */
    record Hold(NewReservation booking, Duration ttl, String attempt) implements Place {
        /** Of a pod's room. */
        public Hold(NewReservation booking, Duration ttl) {
            this(booking, ttl, AttemptId.NONE);
        }

        /** Of a question. */
        public Hold(HoldRoom wanted) {
            this(NewReservation.of(wanted), wanted.ttl(), wanted.attempt());
        }

        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.hold(state, this, now);
        }
    }

    /** A member is bound already, through us: it counts, whatever room there is. */
    record Bind(NewReservation booking) implements Place {
        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.bind(state, booking, now);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /** A hold became a binding. */
    record Confirm(String member) implements Place {
        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.confirm(state, member, now);
        }
    }

    /** A hold is not needed any more. */
    record Release(String member, String attempt) implements Place {
        /** Of a pod's room. */
        public Release(String member) {
            this(member, AttemptId.NONE);
        }

        /** Of a question. */
        public Release(ReleaseHold free) {
            this(free.holder(), free.attempt());
        }

        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.release(state, this, now);
        }
    }

    /** What whoever places members asks for. */
    sealed interface Place extends LedgerCommand<HoldReply> permits Hold, Bind, Confirm, Release {
        @Override
        default HoldReply overflow(NodeState state) {
            return new HoldReply.Overflow();
        }
    }

    /** A member's migration begins, if it still should; it is the source. */
    record Mark(MarkMigrating question) implements Move {
        @Override
        public CommandOutcome<MarkReply> on(NodeState state, LedgerRules rules, Instant now) {
            return MigrationMarkRules.mark(state, question, rules, now);
        }
    }

    /** One migration of a member has ended, and it stays. */
    record Unmark(UnmarkMigrating question) implements Move {
        @Override
        public CommandOutcome<MarkReply> on(NodeState state, LedgerRules rules, Instant now) {
            return MigrationMarkRules.unmark(state, question, now);
        }
    }

    /** What whoever moves members asks for. */
    sealed interface Move extends LedgerCommand<MarkReply> permits Mark, Unmark {
        @Override
        default MarkReply overflow(NodeState state) {
            return new MarkReply.Refused(RefusalCause.OVERFLOW);
        }
    }

    /** The operator decided anew where the watermark is. The reply says whether that moved it. */
    record Reweigh() implements LedgerCommand<Boolean> {
        @Override
        public CommandOutcome<Boolean> on(NodeState state, LedgerRules rules, Instant now) {
            var reweighed = NodeObservationRules.reweighed(state, rules);
            return CommandOutcome.of(reweighed, reweighed != state);
        }

        @Override
        public Boolean overflow(NodeState state) {
            return false;
        }
    }

    /**
     * Time has passed: holds run out, nodes that are gone are forgotten, growth stops on one that has not been ready
     * for long, and a watermark that was missed when the operator moved it follows. The reply counts what changed.
     */
    record Tick() implements LedgerCommand<Integer> {
        @Override
        public CommandOutcome<Integer> on(NodeState state, LedgerRules rules, Instant now) {
            return ExpiryRules.tick(state, rules, now);
        }

        @Override
        public Integer overflow(NodeState state) {
            return 0;
        }
    }
}
