package io.sluice.workers.core;

import java.util.Optional;

/** What is to be done once the rows of a step are durable. */
public sealed interface FleetAction {
    /** The session begins. */
    record Welcome(String worker, long session, long epoch) implements FleetAction {}

    /** The session ends. */
    record Close(long session, Cause cause, String reason) implements FleetAction {}

    /** The order goes to the worker. */
    record Send(long session, long epoch, Order order) implements FleetAction {}

    /** The worker is to send its inventory. */
    record RequestInventory(long session) implements FleetAction {}

    /** The instance is to be placed; its {@code uid} and version name the attempt. */
    record Place(Instance instance) implements FleetAction {}

    /**
     * Whether the held room of a gang's member is used is decided.
     *
     * @param refusal why it is not; empty if it is
     */
    record Decided(String uid, Optional<String> refusal) implements FleetAction {}

    /** The worker's node has changed, or all of it is to be observed anew. */
    record ObserveNode(Worker worker) implements FleetAction {}

    /** The instance holds room on its worker. */
    record ObserveBound(Instance instance) implements FleetAction {}

    /** The reservation of that placement ends. */
    record ObserveGone(String uid, String worker, long version) implements FleetAction {}

    /** The ledger may reserve more than the instance has; what its worker has not applied yet stays reserved. */
    record GiveBack(Instance instance) implements FleetAction {}

    /** For controllers and logs. */
    record InstanceEvent(Instance instance) implements FleetAction {}

    /** For controllers and logs. */
    record WorkerEvent(Worker worker) implements FleetAction {}

    /** Why a session ends. */
    enum Cause {
        SUPERSEDED,
        KEY_TAKEN,
        TOO_MANY_WORKERS,
        LEFT,
        BANNED,
        KEY_REVOKED
    }
}
