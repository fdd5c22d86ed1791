package io.sluice.ledger.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What differs between two states of a node's books, as values and not as what led to them: a copy of the one becomes
 * the other without working anything out.
 *
 * @param size the new one; empty where it is the same
 * @param listing the new one; empty where it is the same
 * @param gone the new ones; empty where they are the same
 * @param put members that are new or other than before, sorted by id
 * @param removed ids of members that are not there any more
 */
public record NodeChange(
        Optional<NodeState.Size> size,
        Optional<NodeState.FullListState> listing,
        Optional<Tombstones> gone,
        List<Reservation> put,
        List<String> removed) {
    public NodeChange {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(listing, "listing");
        Objects.requireNonNull(gone, "gone");
        put = List.copyOf(put);
        removed = List.copyOf(removed);
    }

    /** From the one to the other; both of the same node. What is the same instance in both is the same. */
    public static NodeChange between(NodeState before, NodeState after) {
        var put = new ArrayList<Reservation>();
        var removed = new ArrayList<String>();
        compare(before.members(), after.members(), put, removed);
        return new NodeChange(
                changed(before.size(), after.size()),
                changed(before.listing(), after.listing()),
                changed(before.gone(), after.gone()),
                put,
                removed);
    }

    /** The other state, by the one; it is only right for the state that the change was made from. */
    public NodeState on(NodeState before) {
        var state = before;
        for (var id : removed) {
            state = state.without(id);
        }
        for (var member : put) {
            state = state.with(member);
        }
        state = size.map(state::with).orElse(state);
        state = listing.map(state::with).orElse(state);
        return gone.map(state::with).orElse(state);
    }

    private static <T> Optional<T> changed(T before, T after) {
        return before == after ? Optional.empty() : Optional.of(after);
    }

    private static void compare(
            ReservationTable before, ReservationTable after, List<Reservation> put, List<String> removed) {
        var old = before.all();
        var young = after.all();
        int i = 0;
        int j = 0;
        while (i < old.size() || j < young.size()) {
            int order = order(old, i, young, j);
            if (order < 0) {
                removed.add(old.get(i).id());
            } else if (order > 0 || old.get(i) != young.get(j)) {
                put.add(young.get(j));
            }
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
    }

    private static int order(List<Reservation> old, int i, List<Reservation> young, int j) {
        if (i == old.size()) {
            return 1;
        }
        return j == young.size() ? -1 : old.get(i).id().compareTo(young.get(j).id());
    }
}
