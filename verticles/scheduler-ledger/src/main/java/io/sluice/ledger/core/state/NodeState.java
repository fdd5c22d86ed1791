package io.sluice.ledger.core.state;

import io.sluice.devices.NodeDevices;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.units.FixedAmounts;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The node ledger at one instant. It is immutable, so a store may return the instance that it keeps.
 *
 * @param node the node's name
 * @param size what the node can give
 * @param fullList the full list that completed it
 * @param sums the sums over its reservations, updated with each change
 * @param reservations the reservations on it
 * @param gone the pods and attempts that have ended
 * @param claim room that is kept for a pod that waits; it is in no sum
 */
public record NodeState(
        String node,
        Size size,
        FullListState fullList,
        NodeSums sums,
        ReservationTable reservations,
        Tombstones gone,
        Optional<RoomClaim> claim) {
    /**
     * What a node can give, as its object reports it.
     *
     * @param version of the newest observation; empty before the first
     * @param total what can be reserved; zero for a node that is gone
     * @param watermark above this, VMs should leave
     * @param goneAt when the node was gone; empty while it exists
     * @param notReady since when its condition Ready is False or Unknown; empty where it is ready, or gone
     * @param fixed what can be reserved of the kinds that never change while a pod runs, those of its GPUs too
     * @param devices its GPUs, and who allocates them
     */
    public record Size(
            Optional<Long> version,
            Resources total,
            Resources watermark,
            Optional<Instant> goneAt,
            Optional<NotReady> notReady,
            FixedAmounts fixed,
            NodeDevices devices) {
        static final Size UNKNOWN = new Size(
                Optional.empty(),
                Resources.NONE,
                Resources.NONE,
                Optional.empty(),
                Optional.empty(),
                FixedAmounts.NONE,
                NodeDevices.NONE);

        public Size {
            Objects.requireNonNull(version, "version");
            Objects.requireNonNull(total, "total");
            Objects.requireNonNull(watermark, "watermark");
            Objects.requireNonNull(goneAt, "goneAt");
            Objects.requireNonNull(notReady, "notReady");
            Objects.requireNonNull(fixed, "fixed");
            Objects.requireNonNull(devices, "devices");
        }

        /** What of these amounts counts on the node beside what counts device by device. */
        public FixedAmounts counted(FixedAmounts amounts) {
            return devices.counted(amounts, fixed);
        }

        /** What the node still grants. */
        public NodeReadiness readiness() {
            return notReady.map(since -> since.growthStopped() ? NodeReadiness.GROWTH_STOPPED : NodeReadiness.NOT_READY)
                    .orElse(NodeReadiness.READY);
        }

        /** The same with another total and watermark, and other totals of the other kinds. */
        public Size with(Resources newTotal, Resources newWatermark, FixedAmounts newFixed) {
            return new Size(version, newTotal, newWatermark, goneAt, notReady, newFixed, devices);
        }

        public Size with(Optional<NotReady> newNotReady) {
            return new Size(version, total, watermark, goneAt, newNotReady, fixed, devices);
        }
    }

    /**
     * A node whose condition Ready is False or Unknown.
     *
     * @param since when the ledger first applied such an observation
     * @param growthStopped whether the grace had passed at the last check, so that no growth is granted
     */
    public record NotReady(Instant since, boolean growthStopped) {
        public NotReady {
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * Which full list the node ledger has.
     *
     * @param complete whether a full list was loaded; nothing is granted before
     * @param version of the newest full list
     * @param loadedAt when a full list last completed the node
     * @param incarnation the number that the completing list has to name; empty before one was drawn, and for a
     *     complete node. It is never used twice
     */
    public record FullListState(
            boolean complete, long version, Optional<Instant> loadedAt, Optional<Long> incarnation) {
        public static final FullListState NONE =
                new FullListState(false, LoadNode.NEVER, Optional.empty(), Optional.empty());

        public FullListState {
            Objects.requireNonNull(loadedAt, "loadedAt");
            if (complete && incarnation.isPresent()) {
                throw new IllegalArgumentException("a complete node waits for no list, but has an incarnation");
            }
        }

        public static FullListState taken(long version, Optional<Instant> loadedAt) {
            return new FullListState(true, version, loadedAt, Optional.empty());
        }

        /** When a full list completed this state, which names it; empty if none has. */
        public Optional<Instant> completedAt() {
            return complete ? loadedAt : Optional.empty();
        }

        /** The number that a full list has to name in order to start this node ledger again. */
        public Optional<Long> relist() {
            return complete ? Optional.of(version) : incarnation;
        }
    }

    public NodeState {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(fullList, "fullList");
        Objects.requireNonNull(sums, "sums");
        Objects.requireNonNull(reservations, "reservations");
        Objects.requireNonNull(gone, "gone");
        Objects.requireNonNull(claim, "claim");
    }

    /** The state of a node without any observation. */
    public static NodeState blank(String node) {
        return new NodeState(
                node,
                Size.UNKNOWN,
                FullListState.NONE,
                NodeSums.ZERO,
                ReservationTable.EMPTY,
                Tombstones.NONE,
                Optional.empty());
    }

    /** Whether a store need not keep it. An incarnation is kept, because a reply may have carried it. */
    public boolean isBlank() {
        return isUnknown() && fullList.incarnation().isEmpty();
    }

    private boolean isUnknown() {
        return size.version().isEmpty() && reservations.size() == 0 && !fullList.complete();
    }

    /**
     * The same state with an incarnation, if it needs one and has none. A node that only has an incarnation is
     * forgotten after the same time as a node that is gone.
     */
    public NodeState named(long incarnation, Instant now) {
        if (fullList.relist().isPresent()) {
            return this;
        }
        var waiting = new FullListState(false, fullList.version(), fullList.loadedAt(), Optional.of(incarnation));
        var known = isUnknown()
                ? with(new Size(
                        Optional.empty(),
                        size.total(),
                        size.watermark(),
                        Optional.of(now),
                        Optional.empty(),
                        size.fixed(),
                        size.devices()))
                : this;
        return known.with(waiting);
    }

    /** Why requests for the node cannot be decided yet; empty when they can. */
    public Optional<NotReadyCause> notReady() {
        if (fullList.complete()) {
            return Optional.empty();
        }
        return Optional.of(isUnknown() ? NotReadyCause.NODE_UNKNOWN : NotReadyCause.NODE_INCOMPLETE);
    }

    /** Whether the charges exceed the total. */
    public boolean isOver(ResourceKind kind) {
        return sums.reserved().of(kind) > size.total().of(kind);
    }

    /** Whether the charges exceed the total in some kind. */
    public boolean isOver() {
        return sums.reserved().exceeds(size.total()) || sums.fixed().exceeds(size.fixed());
    }

    /** The total minus all charges. */
    public Resources remaining() {
        return size.total().minus(sums.reserved());
    }

    /** Room that was kept for its pod is kept no longer. */
    public NodeState with(Reservation reservation) {
        var before = reservations.find(reservation.id()).map(NodeSums::of).orElse(NodeSums.ZERO);
        return new NodeState(
                node,
                size,
                fullList,
                sums.minus(before).plus(NodeSums.of(reservation)),
                reservations.with(reservation),
                gone,
                claim.filter(kept -> !kept.isOf(reservation.id())));
    }

    /** Replaces a reservation of which only the session has changed; the sums stay. */
    public NodeState withSession(Reservation reservation) {
        return new NodeState(node, size, fullList, sums, reservations.with(reservation), gone, claim);
    }

    public NodeState without(String id) {
        return reservations
                .find(id)
                .map(reservation -> new NodeState(
                        node,
                        size,
                        fullList,
                        sums.minus(NodeSums.of(reservation)),
                        reservations.without(id),
                        gone,
                        claim))
                .orElse(this);
    }

    public NodeState with(Size newSize) {
        return new NodeState(node, newSize, fullList, sums, reservations, gone, claim);
    }

    public NodeState with(FullListState newFullList) {
        return new NodeState(node, size, newFullList, sums, reservations, gone, claim);
    }

    public NodeState with(Tombstones newGone) {
        return newGone == gone ? this : new NodeState(node, size, fullList, sums, reservations, newGone, claim);
    }

    /** The same with other room that is kept. */
    public NodeState claiming(Optional<RoomClaim> newClaim) {
        return newClaim.equals(claim) ? this : new NodeState(node, size, fullList, sums, reservations, gone, newClaim);
    }
}
