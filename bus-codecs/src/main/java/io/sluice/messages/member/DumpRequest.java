package io.sluice.messages.member;

import java.util.Objects;

/**
 * Requests part of a process's state. A reader requests the parts, then the keys of each, then each piece; what is too
 * much for one reply is requested again from where the reply ended.
 */
public sealed interface DumpRequest {
    /** Requests the names of the parts. */
    record Parts() implements DumpRequest {}

    /**
     * Requests the keys of the pieces of a part.
     *
     * @param reader the reader's id; what it reads is kept until it has the end of it, or for {@link #LEASE_SECONDS}
     *     without a request
     * @param part the part
     * @param from how many keys the reader has already; 0 reads anew
     */
    record Keys(String reader, String part, int from) implements DumpRequest {
        public Keys {
            Objects.requireNonNull(reader, "reader");
            Objects.requireNonNull(part, "part");
            notNegative(from);
        }
    }

    /**
     * Requests a piece.
     *
     * @param reader the reader's id
     * @param part the part
     * @param key the piece
     * @param from how many characters of it the reader has already; 0 reads anew
     */
    record Piece(String reader, String part, String key, int from) implements DumpRequest {
        public Piece {
            Objects.requireNonNull(reader, "reader");
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(key, "key");
            notNegative(from);
        }
    }

    /** After so many seconds without a request nothing is kept for a reader. */
    int LEASE_SECONDS = 10;

    private static void notNegative(int from) {
        if (from < 0) {
            throw new IllegalArgumentException("from is not negative: " + from);
        }
    }
}
