package io.sluice.ledger.core;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The members of a node, sorted by id; immutable. One array, copied on each change: for the hundreds of members that a
 * node has, that costs less than any tree.
 */
public final class ReservationTable implements Iterable<Reservation> {
    /** Nobody. */
    public static final ReservationTable EMPTY = new ReservationTable(new Reservation[0]);

    private final Reservation[] sorted;

    private ReservationTable(Reservation[] sorted) {
        this.sorted = sorted;
    }

    /**
     * Members that were kept or sent.
     *
     * @throws IllegalArgumentException when they are not sorted by id, each there once
     */
    public static ReservationTable of(List<Reservation> sorted) {
        var members = sorted.toArray(new Reservation[0]);
        for (int i = 1; i < members.length; i++) {
            if (members[i - 1].id().compareTo(members[i].id()) >= 0) {
                throw new IllegalArgumentException(
                        "members are sorted by id, but " + members[i].id() + " stands after " + members[i - 1].id());
            }
        }
        return new ReservationTable(members);
    }

    /** The member of that id. */
    public Optional<Reservation> find(String id) {
        int at = position(id);
        return at >= 0 ? Optional.of(sorted[at]) : Optional.empty();
    }

    /** How many there are. */
    public int size() {
        return sorted.length;
    }

    /** All of them, sorted by id. */
    public List<Reservation> all() {
        return Collections.unmodifiableList(Arrays.asList(sorted));
    }

    @Override
    public Iterator<Reservation> iterator() {
        return all().iterator();
    }

    ReservationTable with(Reservation member) {
        int at = position(member.id());
        if (at >= 0) {
            var copy = sorted.clone();
            copy[at] = member;
            return new ReservationTable(copy);
        }
        int into = -at - 1;
        var copy = Arrays.copyOf(sorted, sorted.length + 1);
        System.arraycopy(sorted, into, copy, into + 1, sorted.length - into);
        copy[into] = member;
        return new ReservationTable(copy);
    }

    ReservationTable without(String id) {
        int at = position(id);
        if (at < 0) {
            return this;
        }
        var copy = Arrays.copyOf(sorted, sorted.length - 1);
        System.arraycopy(sorted, at + 1, copy, at, copy.length - at);
        return new ReservationTable(copy);
    }

    private int position(String id) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = sorted[middle].id().compareTo(id);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReservationTable roster && Arrays.equals(sorted, roster.sorted);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sorted);
    }

    @Override
    public String toString() {
        return Arrays.toString(sorted);
    }
}
