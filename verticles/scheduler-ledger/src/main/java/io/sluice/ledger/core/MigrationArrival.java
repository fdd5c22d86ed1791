package io.sluice.ledger.core;

import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import java.util.Objects;

/**
 * How a migration brought a member to its node. Remembered as long as the member is there, so that the hold which it
 * took over does not come back when it is asked for once more.
 *
 * @param holder the name under which room was, or would have been, held for it; empty for a member that no migration
 *     brought
 * @param attempt that the room which it took over was held for; empty where none was held, so that any may have been
 * @param underWay whether its VM still runs where it was
 */
public record MigrationArrival(String holder, String attempt, boolean underWay) {
    /** No migration brought it. */
    static final MigrationArrival NONE = new MigrationArrival("", AttemptId.NONE, false);

    public MigrationArrival {
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(attempt, "attempt");
    }

    static MigrationArrival by(String namespace, String migration, boolean underWay) {
        return new MigrationArrival(HoldRoom.forMigration(namespace, migration), AttemptId.NONE, underWay);
    }

    /** Whether a migration brought it. */
    public boolean byMigration() {
        return !holder.isEmpty();
    }

    /** Whether room under that name, held for that attempt, is or would be its own. */
    boolean tookOver(String otherHolder, String otherAttempt) {
        return byMigration()
                && holder.equals(otherHolder)
                && (attempt.isEmpty() || otherAttempt.isEmpty() || attempt.equals(otherAttempt));
    }

    /** The same, with the attempt that its room was held for. */
    MigrationArrival of(String heldFor) {
        return new MigrationArrival(holder, heldFor, underWay);
    }

    MigrationArrival over() {
        return underWay ? new MigrationArrival(holder, attempt, false) : this;
    }
}
