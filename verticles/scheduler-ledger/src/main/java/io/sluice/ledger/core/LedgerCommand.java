package io.sluice.ledger.core;

import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A command on the ledger state of one node. It is a value: it can be sent to the owner of the node ledger and
 * repeated. {@link NodeLedger} runs it.
 *
 * @param <A> the type of the reply
 */
public sealed interface LedgerCommand<A> {
    /**
     * Returns the state after the command. Only {@link NodeLedger} calls this, and it handles the exception.
     *
     * @throws ArithmeticException when a sum would overflow
     */
    CommandOutcome<A> on(NodeState state, LedgerRules rules, Instant now);

    /** The reply when a sum would overflow; nothing has changed then. */
    A overflow(NodeState state);

    /** Whether it may reserve more than the node has, because it reports what exists already. */
    default boolean mayForce(NodeState state, LedgerRules rules) {
        return false;
    }

    /** Whether its sender uses the reply. No sender uses the replies to observations and to the passing of time. */
    default boolean isAnswered() {
        return !(this instanceof Observe || this instanceof Tick || this instanceof Reweigh);
    }

    /** A runner opens a session for a pod. */
    record Open(OpenSession request) implements LedgerCommand<OpenReply> {
        @Override
        public CommandOutcome<OpenReply> on(NodeState state, LedgerRules rules, Instant now) {
            return Sessions.open(state, request);
        }

        @Override
        public OpenReply overflow(NodeState state) {
            return new OpenReply.Refused(RefusalCause.OVERFLOW);
        }
    }

    /**
     * A permit request of a runner.
     *
     * @param request the request
     * @param startsMoving whether the VM's migration begins with this reply: the reply reports it and grants nothing
     *     more; the mark follows as a command of its own
     */
    record RequestPermit(PermitRequest request, boolean startsMoving) implements LedgerCommand<PermitReply> {
        /** A request that begins no migration. */
        public RequestPermit(PermitRequest request) {
            this(request, false);
        }

        @Override
        public CommandOutcome<PermitReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PermitRules.request(state, this, rules, now);
        }

        @Override
        public PermitReply overflow(NodeState state) {
            return new PermitReply.Refused(RefusalCause.OVERFLOW);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return state.reservations()
                    .find(request.pod())
                    .map(reservation -> PermitRules.trusts(reservation, rules))
                    .orElse(false);
        }
    }

    /** All pods and VMs of the node, from one full list. */
    record Load(LoadNode fullList) implements LedgerCommand<LoadReply> {
        @Override
        public CommandOutcome<LoadReply> on(NodeState state, LedgerRules rules, Instant now) {
            return FullListRules.load(state, fullList, rules, now);
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

    /** A VM was read after its fence was claimed and its permits lapsed; its reservation is lowered to that. */
    record ReclaimReservation(Reclaim read) implements LedgerCommand<ReclaimReply> {
        @Override
        public CommandOutcome<ReclaimReply> on(NodeState state, LedgerRules rules, Instant now) {
            return FullListRules.reclaim(state, read, rules, now);
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

    /** A node was observed. */
    record ObserveNode(NodeObserved observation) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return NodeObservationRules.observed(state, observation, rules, now);
        }
    }

    /** The node is gone. */
    record LoseNode(NodeGone observation) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return NodeObservationRules.gone(state, observation, now);
        }
    }

    /** A pod of the node was observed. */
    record ObservePod(PodObserved observation) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PodObservationRules.observed(state, observation, rules, now);
        }
    }

    /** A pod has ended. */
    record LosePod(PodGone observation) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return PodObservationRules.gone(state, observation);
        }
    }

    /** A VM in a pod of the node was observed. */
    record ObserveVm(VmObserved observation) implements Observe {
        @Override
        public CommandOutcome<ObservationReply> on(NodeState state, LedgerRules rules, Instant now) {
            return VmObservationRules.observed(state, observation, rules);
        }
    }

    /** An observation: it counts whether or not the node has room for it. */
    sealed interface Observe extends LedgerCommand<ObservationReply>
            permits ObserveNode, LoseNode, ObservePod, LosePod, ObserveVm {
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
     * Holds room for a pod that is still to be bound: all of it or nothing. A repeat extends the hold.
     *
     * @param reservation the room
     * @param ttl how long the hold lasts without being confirmed
     * @param attempt the migration attempt that it is for; {@link AttemptId#NONE} for the hold of a pod
     * @param priority of the pod
     * @param knownState when the state was completed that the sender knew; empty if it knew none
     */
    record Hold(NewReservation reservation, Duration ttl, String attempt, int priority, Optional<Instant> knownState)
            implements Place {
        /** A hold for a pod of the default priority. */
        public Hold(NewReservation reservation, Duration ttl) {
            this(reservation, ttl, AttemptId.NONE, 0, Optional.empty());
        }

        /** The hold that a request names. */
        public Hold(HoldRoom request) {
            this(
                    NewReservation.of(request),
                    request.ttl(),
                    request.attempt(),
                    request.priority(),
                    request.knownState());
        }

        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.hold(state, this, now);
        }
    }

    /** A pod that was placed through this ledger is bound already: it counts, whatever room there is. */
    record Bind(NewReservation reservation) implements Place {
        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.bind(state, reservation, now);
        }

        @Override
        public boolean mayForce(NodeState state, LedgerRules rules) {
            return true;
        }
    }

    /** The pod of a hold is bound. */
    record Confirm(String pod) implements Place {
        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.confirm(state, pod, now);
        }
    }

    /** A hold is no longer needed. */
    record Release(String pod, String attempt) implements Place {
        /** The hold of a pod. */
        public Release(String pod) {
            this(pod, AttemptId.NONE);
        }

        /** The hold that a request names. */
        public Release(ReleaseHold free) {
            this(free.holder(), free.attempt());
        }

        @Override
        public CommandOutcome<HoldReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.release(state, this, now);
        }
    }

    /** A command of a component that places pods. */
    sealed interface Place extends LedgerCommand<HoldReply> permits Hold, Bind, Confirm, Release {
        @Override
        default HoldReply overflow(NodeState state) {
            return new HoldReply.Overflow();
        }
    }

    /** Keeps room for a pod that waits, or ends that. */
    record Keep(KeepRoom request) implements LedgerCommand<KeepReply> {
        @Override
        public CommandOutcome<KeepReply> on(NodeState state, LedgerRules rules, Instant now) {
            return HoldRules.keep(state, request, now);
        }

        @Override
        public KeepReply overflow(NodeState state) {
            return new KeepReply.TooLarge();
        }
    }

    /** Sets a migration mark on the source's reservation, if the cause still holds. */
    record Mark(MarkMigrating request) implements Move {
        @Override
        public CommandOutcome<MarkReply> on(NodeState state, LedgerRules rules, Instant now) {
            return MigrationMarkRules.mark(state, request, rules, now);
        }
    }

    /** Removes the mark of one migration; the VM stays. */
    record Unmark(UnmarkMigrating request) implements Move {
        @Override
        public CommandOutcome<MarkReply> on(NodeState state, LedgerRules rules, Instant now) {
            return MigrationMarkRules.unmark(state, request, now);
        }
    }

    /** A command of a component that migrates VMs. */
    sealed interface Move extends LedgerCommand<MarkReply> permits Mark, Unmark {
        @Override
        default MarkReply overflow(NodeState state) {
            return new MarkReply.Refused(RefusalCause.OVERFLOW);
        }
    }

    /** Applies a changed watermark. The reply is whether it changed the state. */
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
     * Applies the passing of time: holds and kept rooms expire, nodes that are gone are forgotten, growth stops on a
     * node that has not been ready for long, and a change of the watermark that the node missed is applied. The reply
     * is the number of changes.
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
