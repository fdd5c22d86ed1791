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
 * @param claim room that is kept now, also where it was kept before
 */
public record NodeChange(
        Optional<NodeState.Size> size,
        Optional<NodeState.FullListState> fullList,
        Optional<Tombstones> gone,
        List<Reservation> put,
        List<String> removed,
        Optional<RoomClaim> claim) {
    public NodeChange {
        Objects.requireNonNull(size, "size");
        Objects.requireNonNull(fullList, "fullList");
        Objects.requireNonNull(gone, "gone");
        put = List.copyOf(put);
        removed = List.copyOf(removed);
        Objects.requireNonNull(claim, "claim");
    }

    /** The difference between two states of the same node. The same instance in both counts as unchanged. */
    public static NodeChange between(NodeState before, NodeState after) {
        var put = new ArrayList<Reservation>();
        var removed = new ArrayList<String>();
        for (var difference : ReservationTable.between(before.reservations(), after.reservations())) {
            difference
                    .after()
                    .ifPresentOrElse(
                            put::add,
                            () -> removed.add(difference.before().orElseThrow().id()));
        }
        return new NodeChange(
                changed(before.size(), after.size()),
                changed(before.fullList(), after.fullList()),
                changed(before.gone(), after.gone()),
                put,
                removed,
                after.claim());
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
        return gone.map(state::with).orElse(state).claiming(claim);
    }

    private static <T> Optional<T> changed(T before, T after) {
        return before == after ? Optional.empty() : Optional.of(after);
    }
}
