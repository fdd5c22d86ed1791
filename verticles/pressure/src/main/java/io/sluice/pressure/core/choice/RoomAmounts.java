package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What VMs take on the node to which they go.
 *
 * @param charge of CPU and memory, after overcommit
 * @param fixed of the other kinds
 */
public record RoomAmounts(Resources charge, FixedAmounts fixed) {
    /** Nothing. */
    public static final RoomAmounts NONE = new RoomAmounts(Resources.NONE, FixedAmounts.NONE);

    public RoomAmounts {
        Objects.requireNonNull(charge, "charge");
        Objects.requireNonNull(fixed, "fixed");
    }

    /** What a VM with this reservation takes on another node. */
    static RoomAmounts of(ReservationView reservation) {
        var traits = reservation.traits();
        return new RoomAmounts(traits.overcommit().charge(reservation.reserved()), traits.fixed());
    }

    /** The sum. */
    public RoomAmounts plus(RoomAmounts other) {
        return new RoomAmounts(charge.plus(other.charge), fixed.plus(other.fixed));
    }
}
