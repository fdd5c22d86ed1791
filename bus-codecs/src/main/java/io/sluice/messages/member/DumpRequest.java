package io.sluice.messages.member;

import java.util.Objects;

/**
 * What does a process let people read of its state? One asks for the parts, then for the keys of each, then for each
 * piece; what is too much for one answer is asked for again from where the answer ended.
 */
public sealed interface DumpRequest {
    /** Which parts are there? */
    record Parts() implements DumpRequest {}

    /**
     * Which pieces does a part have?
     *
     * @param reader names whoever reads; what he reads is kept for him until he has the end of it or is silent for
     *     {@link #LEASE_SECONDS}
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
     * What is in a piece?
     *
     * @param reader names whoever reads
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

    /** After so many seconds without a question nothing is kept for a reader. */
    int LEASE_SECONDS = 10;

    private static void notNegative(int from) {
        if (from < 0) {
            throw new IllegalArgumentException("from is not negative: " + from);
        }
    }
}
