package io.sluice.ledger.core;

import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The books of one node at one instant; immutable, so a store may hand out the instance that it keeps.
 *
 * @param node its name
 * @param size what it can give
 * @param listing how its members came to be known
 * @param sums over its members, kept in step with each change
 * @param members who holds resources on it
 * @param gone which pods are gone for good
 */
public record NodeState(
        String node, Size size, FullListState listing, NodeSums sums, ReservationTable members, Tombstones gone) {
    /**
     * What a node can give, as its object says.
     *
     * @param version of the newest fact about it; empty before the first
     * @param total what can be promised; nothing for a node that is gone
     * @param watermark above this, VMs should leave
     * @param goneAt when it was gone; empty for a node that is there
     * @param notReady since when its condition Ready is False or Unknown; empty where it is ready, or gone
     */
    public record Size(
            Optional<Long> version,
            Resources total,
            Resources watermark,
            Optional<Instant> goneAt,
            Optional<NotReady> notReady) {
        static final Size UNKNOWN =
                new Size(Optional.empty(), Resources.NONE, Resources.NONE, Optional.empty(), Optional.empty());

        public Size {
            Objects.requireNonNull(version, "version");
            Objects.requireNonNull(total, "total");
            Objects.requireNonNull(watermark, "watermark");
            Objects.requireNonNull(goneAt, "goneAt");
            Objects.requireNonNull(notReady, "notReady");
        }

        /** What is still promised of the node. */
        NodeReadiness readiness() {
            return notReady.map(since -> since.growthStopped() ? NodeReadiness.GROWTH_STOPPED : NodeReadiness.NOT_READY)
                    .orElse(NodeReadiness.READY);
        }

        Size with(Optional<NotReady> newNotReady) {
            return new Size(version, total, watermark, goneAt, newNotReady);
        }
    }

    /**
     * A node whose condition Ready is False or Unknown.
     *
     * @param since when the books first heard so
     * @param growthStopped whether that is so long ago that growth is not granted any more, as the books were last
     *     looked at
     */
    public record NotReady(Instant since, boolean growthStopped) {
        public NotReady {
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * How the members came to be known.
     *
     * @param complete whether all of them were listed once; nothing is granted before
     * @param version of the newest listing
     * @param loadedAt when a listing last made the books complete
     * @param incarnation what the list that completes the node has to name; empty before anybody was told, and for a
     *     complete node. Never used twice
     */
    public record FullListState(
            boolean complete, long version, Optional<Instant> loadedAt, Optional<Long> incarnation) {
        static final FullListState NONE = new FullListState(false, LoadNode.NEVER, Optional.empty(), Optional.empty());

        public FullListState {
            Objects.requireNonNull(loadedAt, "loadedAt");
            if (complete && incarnation.isPresent()) {
                throw new IllegalArgumentException("a complete node waits for no list, but has an incarnation");
            }
        }

        static FullListState taken(long version, Optional<Instant> loadedAt) {
            return new FullListState(true, version, loadedAt, Optional.empty());
        }

        /** What a list has to name that begins the ledger state of this node anew. */
        Optional<Long> relist() {
            return complete ? Optional.of(version) : incarnation;
        }
    }

    public NodeState {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(listing, "listing");
        Objects.requireNonNull(sums, "sums");
        Objects.requireNonNull(members, "members");
        Objects.requireNonNull(gone, "gone");
    }

    /** Of a node that nothing is known of. */
    public static NodeState blank(String node) {
        return new NodeState(
                node, Size.UNKNOWN, FullListState.NONE, NodeSums.ZERO, ReservationTable.EMPTY, Tombstones.NONE);
    }

    /** Whether a store has nothing to keep for it. An incarnation is kept, as somebody may have been told. */
    public boolean isBlank() {
        return isUnknown() && listing.incarnation().isEmpty();
    }

    private boolean isUnknown() {
        return size.version().isEmpty() && members.size() == 0 && !listing.complete();
    }

    /**
     * The same with an incarnation, if it lacks one and needs it. A node that is known by nothing else is forgotten in
     * time, like one that is gone.
     */
    NodeState named(long incarnation, Instant now) {
        if (listing.relist().isPresent()) {
            return this;
        }
        var waiting = new FullListState(false, listing.version(), listing.loadedAt(), Optional.of(incarnation));
        var known = isUnknown()
                ? with(new Size(Optional.empty(), size.total(), size.watermark(), Optional.of(now), Optional.empty()))
                : this;
        return known.with(waiting);
    }

    /** Why nothing can be answered for the node yet; empty when it can. */
    public Optional<NotReadyCause> notReady() {
        if (listing.complete()) {
            return Optional.empty();
        }
        return Optional.of(isUnknown() ? NotReadyCause.NODE_UNKNOWN : NotReadyCause.NODE_INCOMPLETE);
    }

    /** Whether more is reserved than there is. */
    boolean isOver(ResourceKind kind) {
        return sums.reserved().of(kind) > size.total().of(kind);
    }

    /** What no member is charged for. */
    public Resources remaining() {
        return size.total().minus(sums.reserved());
    }

    NodeState with(Reservation member) {
        var before = members.find(member.id()).map(NodeSums::of).orElse(NodeSums.ZERO);
        return new NodeState(
                node, size, listing, sums.minus(before).plus(NodeSums.of(member)), members.with(member), gone);
    }

    /** The same sums: of the member only what was said has changed. */
    NodeState withTalk(Reservation member) {
        return new NodeState(node, size, listing, sums, members.with(member), gone);
    }

    NodeState without(String id) {
        return members.find(id)
                .map(member ->
                        new NodeState(node, size, listing, sums.minus(NodeSums.of(member)), members.without(id), gone))
                .orElse(this);
    }

    NodeState with(Size newSize) {
        return new NodeState(node, newSize, listing, sums, members, gone);
    }

    NodeState with(FullListState newListing) {
        return new NodeState(node, size, newListing, sums, members, gone);
    }

    NodeState with(Tombstones newGone) {
        return newGone == gone ? this : new NodeState(node, size, listing, sums, members, newGone);
    }
}
