package io.sluice.ledger.core.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The difference between two states of a node ledger, as values: a replica applies them without running any rules.
 *
 * @param size the new one; empty where it is the same
 * @param fullList the new one; empty where it is the same
 * @param gone the new ones; empty where they are the same
 * @param put new and changed reservations, sorted by id
 * @param removed ids of reservations that do not exist any more
 */
public record NodeChange(
        Optional<NodeState.Size> size,
        Optional<NodeState.FullListState> fullList,
        Optional<Tombstones> gone,
        List<Reservation> put,
        List<String> removed) {
    public NodeChange {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(fullList, "fullList");
        Objects.requireNonNull(gone, "gone");
        put = List.copyOf(put);
        removed = List.copyOf(removed);
    }

    /** The difference between two states of the same node. The same instance in both counts as unchanged. */
    public static NodeChange between(NodeState before, NodeState after) {
        var put = new ArrayList<Reservation>();
        var removed = new ArrayList<String>();
        compare(before.reservations(), after.reservations(), put, removed);
        return new NodeChange(
                changed(before.size(), after.size()),
                changed(before.fullList(), after.fullList()),
                changed(before.gone(), after.gone()),
                put,
                removed);
    }

    /** Applies the difference. The result is only right for the state that the difference was made from. */
    public NodeState on(NodeState before) {
        var state = before;
        for (var id : removed) {
            state = state.without(id);
        }
        for (var reservation : put) {
            state = state.with(reservation);
        }
        state = size.map(state::with).orElse(state);
        state = fullList.map(state::with).orElse(state);
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
