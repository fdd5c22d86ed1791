package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * Names one attempt to move a VM, from before its room is held until its migration's object is gone. Whoever arranges
 * the attempt makes the id up and never again the same; a migration that nobody arranged here has the uid of its
 * object.
 */
public final class AttemptId {
    /** Longer ids are refused. */
    public static final int LENGTH_MAX = 64;

    /** Of a hold that no attempt is known of, as that of a pod under its own uid. */
    public static final String NONE = "";

    private AttemptId() {}

    /** Whether it may be one: short, and not empty. */
    public static boolean isValid(String id) {
        return !id.isEmpty() && id.length() <= LENGTH_MAX;
    }

    /** The id, which must be there. */
    static String checked(String id) {
        if (!isValid(Objects.requireNonNull(id, "attempt"))) {
            throw new IllegalArgumentException(
                    "an attempt's id has 1 to " + LENGTH_MAX + " characters: " + id.length());
        }
        return id;
    }

    /** The id, or none. */
    static String checkedOrNone(String id) {
        return Objects.requireNonNull(id, "attempt").isEmpty() ? NONE : checked(id);
    }
}
