package io.sluice.ledger.core.state;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The reservations of a node, sorted by id; immutable. They are in one array that is copied on each change: for the
 * hundreds of reservations of a node this costs less than any tree.
 */
public final class ReservationTable implements Iterable<Reservation> {
    /** No reservation. */
    public static final ReservationTable EMPTY = new ReservationTable(new Reservation[0]);

    private final Reservation[] sorted;

    private ReservationTable(Reservation[] sorted) {
        this.sorted = sorted;
    }

    /**
     * A table of reservations that were stored or received.
     *
     * @throws IllegalArgumentException if they are not sorted by id, or an id occurs twice
     */
    public static ReservationTable of(List<Reservation> sorted) {
        var reservations = sorted.toArray(new Reservation[0]);
        for (int i = 1; i < reservations.length; i++) {
            if (reservations[i - 1].id().compareTo(reservations[i].id()) >= 0) {
                throw new IllegalArgumentException("reservations have to be sorted by id, but " + reservations[i].id()
                        + " comes after " + reservations[i - 1].id());
            }
        }
        return new ReservationTable(reservations);
    }

    /** The reservation with that id. */
    public Optional<Reservation> find(String id) {
        int at = position(id);
        return at >= 0 ? Optional.of(sorted[at]) : Optional.empty();
    }

    /** The number of reservations. */
    public int size() {
        return sorted.length;
    }

    /** All reservations, sorted by id. */
    public List<Reservation> all() {
        return Collections.unmodifiableList(Arrays.asList(sorted));
    }

    @Override
    public Iterator<Reservation> iterator() {
        return all().iterator();
    }

    ReservationTable with(Reservation reservation) {
        int at = position(reservation.id());
        if (at >= 0) {
            var copy = sorted.clone();
            copy[at] = reservation;
            return new ReservationTable(copy);
        }
        int into = -at - 1;
        var copy = Arrays.copyOf(sorted, sorted.length + 1);
        System.arraycopy(sorted, into, copy, into + 1, sorted.length - into);
        copy[into] = reservation;
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
        return other instanceof ReservationTable reservations && Arrays.equals(sorted, reservations.sorted);
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
