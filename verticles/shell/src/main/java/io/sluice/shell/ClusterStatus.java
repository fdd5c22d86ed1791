package io.sluice.shell;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a process knows of its cluster beside who answers on the bus: who keeps the books, and whether anything may be
 * granted. For people to see; nothing is decided by it.
 *
 * @param clustered whether there could be others at all
 * @param members all that take part, this process included, sorted by id
 * @param ledgersConfigured how many processes are to keep the books
 * @param grants whether permits are granted now
 * @param partitionsSafe whether each part of the books has all its copies
 * @param notes what happened to the cluster, the newest first; at most {@link #NOTES_MAX}
 */
public record ClusterStatus(
        boolean clustered,
        List<Member> members,
        int ledgersConfigured,
        Grants grants,
        boolean partitionsSafe,
        List<Note> notes) {
    /** No more notes are kept. */
    public static final int NOTES_MAX = 50;

    /** This process and nobody else; its books need nobody's leave. */
    public static final ClusterStatus ALONE =
            new ClusterStatus(false, List.of(), 0, new Grants.Allowed(), true, List.of());

    /**
     * One process that takes part.
     *
     * @param peer the process
     * @param keepsBooks whether it holds some of the ledger's data
     * @param self whether it is this process
     * @param joinedAt when this process saw it first; empty where that is not known
     */
    public record Member(Peer peer, boolean keepsBooks, boolean self, Optional<Instant> joinedAt) {
        public Member {
            Objects.requireNonNull(peer, "peer");
            Objects.requireNonNull(joinedAt, "joinedAt");
        }
    }

    /** Whether permits are granted. */
    public sealed interface Grants {
        /** They are. */
        record Allowed() implements Grants {}

        /**
         * They are not.
         *
         * @param sentence why not
         */
        record Stopped(String sentence) implements Grants {
            public Stopped {
                Objects.requireNonNull(sentence, "sentence");
            }
        }
    }

    /**
     * Something that happened to the cluster, such as a member that was lost.
     *
     * @param at when
     * @param sentence what
     */
    public record Note(Instant at, String sentence) {
        public Note {
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(sentence, "sentence");
        }
    }

    public ClusterStatus {
        members = List.copyOf(members);
        Objects.requireNonNull(grants, "grants");
        notes = notes.stream().limit(NOTES_MAX).toList();
    }
}
