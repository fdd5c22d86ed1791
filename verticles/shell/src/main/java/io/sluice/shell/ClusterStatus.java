package io.sluice.shell;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A process's view of its Hazelcast cluster: which members have ledger state, and whether permits are granted. For
 * operators; no decision depends on it.
 *
 * @param clustered whether there could be other members at all
 * @param members all members, this process included, sorted by id
 * @param ledgersConfigured the configured number of processes with ledger state
 * @param grants whether permits are granted now
 * @param partitionsSafe whether every partition of the ledger's state has all its replicas
 * @param entries what happened to the Hazelcast cluster, the newest first; at most {@link #ENTRIES_MAX}
 */
public record ClusterStatus(
        boolean clustered,
        List<Member> members,
        int ledgersConfigured,
        Grants grants,
        boolean partitionsSafe,
        List<Entry> entries) {
    /** The most entries that are kept. */
    public static final int ENTRIES_MAX = 50;

    /** A process that is alone; its ledger needs no majority. */
    public static final ClusterStatus ALONE =
            new ClusterStatus(false, List.of(), 0, new Grants.Allowed(), true, List.of());

    /**
     * One member.
     *
     * @param peer the process
     * @param keepsLedgerState whether it has some of the ledger's state
     * @param self whether it is this process
     * @param joinedAt when this process observed it first; empty where that is not known
     */
    public record Member(Peer peer, boolean keepsLedgerState, boolean self, Optional<Instant> joinedAt) {
        public Member {
            Objects.requireNonNull(peer, "peer");
            Objects.requireNonNull(joinedAt, "joinedAt");
        }
    }

    /** Whether permits are granted. */
    public sealed interface Grants {
        /** Permits are granted. */
        record Allowed() implements Grants {}

        /**
         * Permits are not granted.
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
     * Something that happened to the Hazelcast cluster, such as the loss of a member.
     *
     * @param at when
     * @param sentence what
     */
    public record Entry(Instant at, String sentence) {
        public Entry {
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(sentence, "sentence");
        }
    }

    public ClusterStatus {
        members = List.copyOf(members);
        Objects.requireNonNull(grants, "grants");
        entries = entries.stream().limit(ENTRIES_MAX).toList();
    }
}
