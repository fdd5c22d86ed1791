package io.sluice.ledger.core;

import io.sluice.messages.ledger.NotReadyCause;
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
public record NodeState(String node, Size size, Listing listing, Sums sums, Roster members, Tombstones gone) {
    /**
     * What a node can give, as its object says.
     *
     * @param version of the newest fact about it; empty before the first
     * @param total what can be promised; nothing for a node that is gone
     * @param watermark above this, VMs should leave
     * @param goneAt when it was gone; empty for a node that is there
     */
    public record Size(Optional<Long> version, Resources total, Resources watermark, Optional<Instant> goneAt) {
        static final Size UNKNOWN = new Size(Optional.empty(), Resources.NONE, Resources.NONE, Optional.empty());

        public Size {
            Objects.requireNonNull(version, "version");
            Objects.requireNonNull(total, "total");
            Objects.requireNonNull(watermark, "watermark");
            Objects.requireNonNull(goneAt, "goneAt");
        }
    }

    /**
     * How the members came to be known.
     *
     * @param complete whether all of them were listed once; nothing is granted before
     * @param version of the newest listing
     * @param loadedAt when a listing last made the books complete
     */
    public record Listing(boolean complete, long version, Optional<Instant> loadedAt) {
        static final Listing NONE = new Listing(false, Long.MIN_VALUE, Optional.empty());

        public Listing {
            Objects.requireNonNull(loadedAt, "loadedAt");
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
        return new NodeState(node, Size.UNKNOWN, Listing.NONE, Sums.ZERO, Roster.EMPTY, Tombstones.NONE);
    }

    /** Whether a store has nothing to keep for it. */
    public boolean isBlank() {
        return size.version().isEmpty() && members.size() == 0 && !listing.complete();
    }

    /** Why nothing can be answered for the node yet; empty when it can. */
    public Optional<NotReadyCause> notReady() {
        if (listing.complete()) {
            return Optional.empty();
        }
        return Optional.of(isBlank() ? NotReadyCause.NODE_UNKNOWN : NotReadyCause.NODE_INCOMPLETE);
    }

    /** What no member is charged for. */
    public Resources remaining() {
        return size.total().minus(sums.reserved());
    }

    NodeState with(Member member) {
        var before = members.find(member.id()).map(Sums::of).orElse(Sums.ZERO);
        return new NodeState(node, size, listing, sums.minus(before).plus(Sums.of(member)), members.with(member), gone);
    }

    /** The same sums: of the member only what was said has changed. */
    NodeState withTalk(Member member) {
        return new NodeState(node, size, listing, sums, members.with(member), gone);
    }

    NodeState without(String id) {
        return members.find(id)
                .map(member ->
                        new NodeState(node, size, listing, sums.minus(Sums.of(member)), members.without(id), gone))
                .orElse(this);
    }

    NodeState with(Size newSize) {
        return new NodeState(node, newSize, listing, sums, members, gone);
    }

    NodeState with(Listing newListing) {
        return new NodeState(node, size, newListing, sums, members, gone);
    }

    NodeState with(Tombstones newGone) {
        return new NodeState(node, size, listing, sums, members, newGone);
    }
}
