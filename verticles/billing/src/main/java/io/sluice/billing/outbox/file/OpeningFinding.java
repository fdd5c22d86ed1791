package io.sluice.billing.outbox.file;

import java.util.Map;
import java.util.Objects;

/** An unexpected state of the outbox's file, found when it was opened. */
public sealed interface OpeningFinding {
    /** The last commit was torn, and its caller had received no result. The commit before it counts. */
    record TornEnd(String why) implements OpeningFinding {
        public TornEnd {
            Objects.requireNonNull(why, "why");
        }
    }

    /**
     * A part of the file was damaged. Readable entries were copied to a new file, and the old file was kept.
     *
     * @param why the cause
     * @param setAside number of entries of each map that did not match their checksum
     * @param unreadablePages number of pages that could not be read; their entries are unknown
     * @param missingCommits number of commits that were durable and are missing
     * @param keptAt path of the damaged file
     */
    record Damaged(String why, Map<String, Long> setAside, long unreadablePages, long missingCommits, String keptAt)
            implements OpeningFinding {
        public Damaged {
            Objects.requireNonNull(why, "why");
            setAside = Map.copyOf(setAside);
            Objects.requireNonNull(keptAt, "keptAt");
        }
    }

    /** A sync had failed. Everything was written to another file, which was synced. */
    record WrittenAnew() implements OpeningFinding {}
}
