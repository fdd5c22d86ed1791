package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import java.util.Objects;

/**
 * How a migration brought a pod to its node. The record lasts as long as the reservation, so that a late copy of the
 * request for the hold which the pod took over does not hold room again.
 *
 * @param holder the name under which room was, or would have been, held for it; empty for a pod that no migration
 *     created
 * @param attempt the attempt that the room was held for; empty where there was no hold, and then it matches any attempt
 * @param underWay whether its VM still runs at the source
 */
public record MigrationArrival(String holder, String attempt, boolean underWay) {
    /** No migration created the pod. */
    public static final MigrationArrival NONE = new MigrationArrival("", AttemptId.NONE, false);

    public MigrationArrival {
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(attempt, "attempt");
    }

    public static MigrationArrival by(String namespace, String migration, boolean underWay) {
        return new MigrationArrival(HoldRoom.forMigration(namespace, migration), AttemptId.NONE, underWay);
    }

    /** Whether a migration created the pod. */
    public boolean byMigration() {
        return !holder.isEmpty();
    }

    /** Whether room under that name, held for that attempt, is or would be this pod's. */
    public boolean tookOver(String otherHolder, String otherAttempt) {
        return byMigration()
                && holder.equals(otherHolder)
                && (attempt.isEmpty() || otherAttempt.isEmpty() || attempt.equals(otherAttempt));
    }

    /** The same, with the attempt that its room was held for. */
    public MigrationArrival of(String heldFor) {
        return new MigrationArrival(holder, heldFor, underWay);
    }

    public MigrationArrival over() {
        return underWay ? new MigrationArrival(holder, attempt, false) : this;
    }
}
