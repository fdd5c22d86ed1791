package io.sluice.ledger.core.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The reservations of a node, sorted by id; immutable. They are in chunks, and a change copies one chunk and the list
 * of chunks. So a change costs about the same on small and large nodes, and two tables are compared chunk by chunk.
 */
public final class ReservationTable implements Iterable<Reservation> {
    /** No reservation. */
    public static final ReservationTable EMPTY = new ReservationTable(new Reservation[0][], 0);

    /** A chunk that grows beyond this is divided. */
    static final int CHUNK_MAX = 32;

    /** No chunk is empty. */
    private final Reservation[][] chunks;

    private final int size;

    private ReservationTable(Reservation[][] chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    /**
     * A reservation that two tables do not share.
     *
     * @param before the first table's; empty where it has none under that id
     * @param after the second table's; empty where it has none under that id
     */
    public record Difference(Optional<Reservation> before, Optional<Reservation> after) {}

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
        var chunks = new Reservation[(reservations.length + CHUNK_MAX - 1) / CHUNK_MAX][];
        for (int i = 0; i < chunks.length; i++) {
            int from = i * CHUNK_MAX;
            chunks[i] = Arrays.copyOfRange(reservations, from, Math.min(from + CHUNK_MAX, reservations.length));
        }
        return new ReservationTable(chunks, reservations.length);
    }

    /** The reservation with that id. */
    public Optional<Reservation> find(String id) {
        if (size == 0) {
            return Optional.empty();
        }
        var chunk = chunks[chunkOf(id)];
        int at = position(chunk, id);
        return at >= 0 ? Optional.of(chunk[at]) : Optional.empty();
    }

    /** The number of reservations. */
    public int size() {
        return size;
    }

    /** All reservations, sorted by id. */
    public List<Reservation> all() {
        var all = new ArrayList<Reservation>(size);
        for (var chunk : chunks) {
            Collections.addAll(all, chunk);
        }
        return Collections.unmodifiableList(all);
    }

    @Override
    public Iterator<Reservation> iterator() {
        return new Cursor();
    }

    /**
     * What differs between two tables, sorted by id. The same instance in both is no difference. Chunks that both share
     * are passed over.
     */
    public static List<Difference> between(ReservationTable before, ReservationTable after) {
        var differences = new ArrayList<Difference>();
        var old = before.new Cursor();
        var young = after.new Cursor();
        while (old.hasNext() || young.hasNext()) {
            if (old.skipShared(young)) {
                continue;
            }
            int order = !old.hasNext() ? 1 : !young.hasNext() ? -1 : old.id().compareTo(young.id());
            var was = order <= 0 ? Optional.of(old.next()) : Optional.<Reservation>empty();
            var is = order >= 0 ? Optional.of(young.next()) : Optional.<Reservation>empty();
            if (order != 0 || was.get() != is.get()) {
                differences.add(new Difference(was, is));
            }
        }
        return differences;
    }

    ReservationTable with(Reservation reservation) {
        if (size == 0) {
            return new ReservationTable(new Reservation[][] {{reservation}}, 1);
        }
        int number = chunkOf(reservation.id());
        var chunk = chunks[number];
        int at = position(chunk, reservation.id());
        if (at >= 0) {
            var copy = chunk.clone();
            copy[at] = reservation;
            return new ReservationTable(replaced(number, 1, copy), size);
        }
        int into = -at - 1;
        var copy = Arrays.copyOf(chunk, chunk.length + 1);
        System.arraycopy(chunk, into, copy, into + 1, chunk.length - into);
        copy[into] = reservation;
        return new ReservationTable(divided(number, copy), size + 1);
    }

    private Reservation[][] divided(int number, Reservation[] chunk) {
        if (chunk.length <= CHUNK_MAX) {
            return replaced(number, 1, chunk);
        }
        int half = chunk.length / 2;
        return replaced(number, 1, Arrays.copyOf(chunk, half), Arrays.copyOfRange(chunk, half, chunk.length));
    }

    ReservationTable without(String id) {
        int number = size == 0 ? 0 : chunkOf(id);
        int at = size == 0 ? -1 : position(chunks[number], id);
        if (at < 0) {
            return this;
        }
        var chunk = chunks[number];
        var copy = Arrays.copyOf(chunk, chunk.length - 1);
        System.arraycopy(chunk, at + 1, copy, at, copy.length - at);
        return new ReservationTable(joined(number, copy), size - 1);
    }

    /** A chunk that has become small is joined with the next one, so that there are never many small ones. */
    private Reservation[][] joined(int number, Reservation[] chunk) {
        if (chunk.length == 0) {
            return replaced(number, 1);
        }
        if (number + 1 == chunks.length || chunk.length + chunks[number + 1].length > CHUNK_MAX / 2) {
            return replaced(number, 1, chunk);
        }
        var next = chunks[number + 1];
        var both = Arrays.copyOf(chunk, chunk.length + next.length);
        System.arraycopy(next, 0, both, chunk.length, next.length);
        return replaced(number, 2, both);
    }

    /** The list of chunks with some of them replaced. */
    private Reservation[][] replaced(int number, int count, Reservation[]... by) {
        var copy = Arrays.copyOf(chunks, chunks.length - count + by.length);
        System.arraycopy(by, 0, copy, number, by.length);
        int rest = number + count;
        System.arraycopy(chunks, rest, copy, number + by.length, chunks.length - rest);
        return copy;
    }

    /** The chunk that has the id, or would have it. */
    private int chunkOf(String id) {
        int low = 0;
        int high = chunks.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (chunks[middle][0].id().compareTo(id) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static int position(Reservation[] chunk, String id) {
        int low = 0;
        int high = chunk.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = chunk[middle].id().compareTo(id);
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

    private final class Cursor implements Iterator<Reservation> {
        private int number;
        private int at;

        @Override
        public boolean hasNext() {
            return number < chunks.length;
        }

        @Override
        public Reservation next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            var next = chunks[number][at++];
            if (at == chunks[number].length) {
                nextChunk();
            }
            return next;
        }

        private String id() {
            return chunks[number][at].id();
        }

        private void nextChunk() {
            number++;
            at = 0;
        }

        private boolean skipShared(Cursor other) {
            boolean shared = hasNext() && other.hasNext() && at == 0 && other.at == 0 && chunk() == other.chunk();
            if (shared) {
                nextChunk();
                other.nextChunk();
            }
            return shared;
        }

        private Reservation[] chunk() {
            return chunks[number];
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReservationTable reservations
                && size == reservations.size
                && all().equals(reservations.all());
    }

    @Override
    public int hashCode() {
        return all().hashCode();
    }

    @Override
    public String toString() {
        return all().toString();
    }
}
