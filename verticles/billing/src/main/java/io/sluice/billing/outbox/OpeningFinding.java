package io.sluice.billing.outbox;

import java.util.Map;
import java.util.Objects;

/** An unexpected state of the outbox's file, found when it was opened. */
public sealed interface OpeningFinding {
    /**
     * A part of the file was damaged. Readable rows were copied to a new file, and the old file was kept.
     *
     * @param why the cause
     * @param setAside number of rows with a wrong checksum, by queue; {@code state} for rows of no queue
     * @param unreadable number of parts of the file that could not be read
     * @param keptAt path of the damaged file
     */
    record Damaged(String why, Map<String, Long> setAside, long unreadable, String keptAt) implements OpeningFinding {
        public Damaged {
            Objects.requireNonNull(why, "why");
            setAside = Map.copyOf(setAside);
            Objects.requireNonNull(keptAt, "keptAt");
        }
    }

    /** The disk had failed. Everything was written to another file, which was synced. */
    record WrittenAnew() implements OpeningFinding {}
}
