package io.sluice.ledger.core;

import io.sluice.messages.ledger.HoldRoom;
import java.util.Objects;

/**
 * How a migration brought a member to its node. Remembered as long as the member is there, so that the hold which it
 * took over does not come back when it is asked for once more.
 *
 * @param holder the name under which room was, or would have been, held for it; empty for a member that no migration
 *     brought
 * @param underWay whether its VM still runs where it was
 */
public record Arrival(String holder, boolean underWay) {
    /** No migration brought it. */
    static final Arrival NONE = new Arrival("", false);

    public Arrival {
        Objects.requireNonNull(holder, "holder");
    }

    static Arrival by(String namespace, String migration, boolean underWay) {
        return new Arrival(HoldRoom.forMigration(namespace, migration), underWay);
    }

    /** Whether a migration brought it. */
    public boolean byMigration() {
        return !holder.isEmpty();
    }

    Arrival over() {
        return underWay ? new Arrival(holder, false) : this;
    }
}
