package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * Identifies one attempt to migrate a VM or to place a pod. That of a migration lasts from before its room is held
 * until its object is gone. The part that begins the attempt creates a new id; a migration that was not begun here has
 * its object's uid.
 */
public final class AttemptId {
    /** Longer ids are refused. */
    public static final int LENGTH_MAX = 64;

    /** Of a hold without an attempt, such as that of a pod under its own uid. */
    public static final String NONE = "";

    private AttemptId() {}

    /** Whether the text is a valid id: not empty, and not too long. */
    public static boolean isValid(String id) {
        return !id.isEmpty() && id.length() <= LENGTH_MAX;
    }

    /** The id, which must not be empty. */
    static String checked(String id) {
        if (!isValid(Objects.requireNonNull(id, "attempt"))) {
            throw new IllegalArgumentException(
                    "an attempt's id has 1 to " + LENGTH_MAX + " characters: " + id.length());
        }
        return id;
    }

    /** The id, or {@link #NONE}. */
    static String checkedOrNone(String id) {
        return Objects.requireNonNull(id, "attempt").isEmpty() ? NONE : checked(id);
    }
}
