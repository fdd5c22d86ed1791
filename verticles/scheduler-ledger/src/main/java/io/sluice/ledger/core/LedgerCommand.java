package io.sluice.ledger.core;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmSeen;
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
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.Settle;
import io.sluice.messages.ledger.SettleReply;
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
    Outcome<A> on(NodeState state, LedgerRules rules, Instant now);

    /** The reply when a sum would overflow: nothing has changed then. */
    A overflow(NodeState state);

    /** Whether it may book more than the node has, because it tells what is so already. */
    default boolean mayForce(NodeState state, LedgerRules rules) {
        return false;
    }

    /** Whether somebody acts on the reply; facts and the passing of time are followed by others like them. */
    default boolean isAnswered() {
        return !(this instanceof Fact || this instanceof Tick || this instanceof Reweigh);
    }

    /** A runner wants to speak for a member. */
    record Open(OpenSession question) implements LedgerCommand<OpenReply> {
        @Override
        public Outcome<OpenReply> on(NodeState state, LedgerRules rules, Instant now) {
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
    record Ask(PermitRequest question, boolean startsMoving) implements LedgerCommand<PermitReply> {
        /** A question that begins no migration. */
        public Ask(PermitRequest question) {
            this(question, false);
        }

        @Override
        public Outcome<PermitReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Asking.ask(state, this, rules, now);
        }

        @Override
        public PermitReply overflow(NodeState state) {
            return new PermitReply.Refused(RefusalCause.OVERFLOW);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return state.members()
                    .find(question.member())
                    .map(member -> Asking.trusts(member, rules))
                    .orElse(false);
        }
    }

    /** All members of the node, from one consistent listing. */
    record Load(LoadNode listing) implements LedgerCommand<LoadReply> {
        @Override
        public Outcome<LoadReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Loading.load(state, listing, rules, now);
        }

        @Override
        public LoadReply overflow(NodeState state) {
            return Loading.counted(state);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /** A member that nobody was heard of was read once its fence was claimed and no permit could be used any more. */
    record SettleMember(Settle read) implements LedgerCommand<SettleReply> {
        @Override
        public Outcome<SettleReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Loading.settle(state, read, rules, now);
        }

        @Override
        public SettleReply overflow(NodeState state) {
            return new SettleReply.NotRecovered();
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /** The node exists. */
    record SeeNode(NodeSeen fact) implements Fact {
        @Override
        public Outcome<FactReply> on(NodeState state, LedgerRules rules, Instant now) {
            return NodeFacts.seen(state, fact, rules, now);
        }
    }

    /** The node is gone. */
    record LoseNode(NodeGone fact) implements Fact {
        @Override
        public Outcome<FactReply> on(NodeState state, LedgerRules rules, Instant now) {
            return NodeFacts.gone(state, fact, now);
        }
    }

    /** A pod is bound to the node. */
    record SeePod(PodSeen fact) implements Fact {
        @Override
        public Outcome<FactReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PodFacts.seen(state, fact, rules, now);
        }
    }

    /** A pod is gone for good. */
    record LosePod(PodGone fact) implements Fact {
        @Override
        public Outcome<FactReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PodFacts.gone(state, fact);
        }
    }

    /** A VM runs in a pod of the node. */
    record SeeVm(VmSeen fact) implements Fact {
        @Override
        public Outcome<FactReply> on(NodeState state, LedgerRules rules, Instant now) {
            return VmFacts.seen(state, fact, rules);
        }
    }

    /** Something that is so whether there is room for it or not. */
    sealed interface Fact extends LedgerCommand<FactReply> permits SeeNode, LoseNode, SeePod, LosePod, SeeVm {
        @Override
        default FactReply overflow(NodeState state) {
            return FactReply.OVERFLOW;
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
    record Hold(Booking booking, Duration ttl, String attempt) implements Place {
        /** Of a pod's room. */
        public Hold(Booking booking, Duration ttl) {
            this(booking, ttl, AttemptId.NONE);
        }

        /** Of a question. */
        public Hold(HoldRoom wanted) {
            this(Booking.of(wanted), wanted.ttl(), wanted.attempt());
        }

        @Override
        public Outcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Holding.hold(state, this, now);
        }
    }

    /** A member is bound already, through us: it counts, whatever room there is. */
    record Bind(Booking booking) implements Place {
        @Override
        public Outcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Holding.bind(state, booking, now);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /** A hold became a binding. */
    record Confirm(String member) implements Place {
        @Override
        public Outcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Holding.confirm(state, member, now);
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
        public Outcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Holding.release(state, this, now);
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
        public Outcome<MarkReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Moving.mark(state, question, rules, now);
        }
    }

    /** One migration of a member has ended, and it stays. */
    record Unmark(UnmarkMigrating question) implements Move {
        @Override
        public Outcome<MarkReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Moving.unmark(state, question, now);
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
        public Outcome<Boolean> on(NodeState state, LedgerRules rules, Instant now) {
            var reweighed = NodeFacts.reweighed(state, rules);
            return Outcome.of(reweighed, reweighed != state);
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
        public Outcome<Integer> on(NodeState state, LedgerRules rules, Instant now) {
            return Passing.tick(state, rules, now);
        }

        @Override
        public Integer overflow(NodeState state) {
            return 0;
        }
    }
}
