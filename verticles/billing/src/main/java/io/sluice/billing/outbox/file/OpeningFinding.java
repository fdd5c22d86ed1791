package io.sluice.billing.outbox.file;

import java.util.Map;
import java.util.Objects;

/** What was found when the outbox's file was opened, besides what was to be expected. */
public sealed interface OpeningFinding {
    /** The last commit was torn, and nobody had been told that it was durable: the one before it counts. */
    record TornEnd(String why) implements OpeningFinding {
        public TornEnd {
            Objects.requireNonNull(why, "why");
        }
    }

    /**
     * Something had rotted. What could be read was copied to a new file, the old file was kept.
     *
     * @param setAside how many entries of each map did not match their checksum
     * @param unreadablePages how many pages could not be read at all, nor what was in them
     * @param missingCommits how many commits were durable once and are not to be found
     * @param keptAt where the damaged file is
     */
    record Damaged(String why, Map<String, Long> setAside, long unreadablePages, long missingCommits, String keptAt)
            implements OpeningFinding {
        public Damaged {
            Objects.requireNonNull(why, "why");
            setAside = Map.copyOf(setAside);
            Objects.requireNonNull(keptAt, "keptAt");
        }
    }

    /** A sync had failed: everything was written anew, to another file, which was synced. */
    record WrittenAnew() implements OpeningFinding {}
}
