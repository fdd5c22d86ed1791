package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A VM that could leave if another node has room.
 *
 * @param reservation its reservation
 * @param vm the VM
 */
record Candidate(ReservationView reservation, KnownVm vm) {
    Candidate {
        Objects.requireNonNull(reservation, "reservation");
        Objects.requireNonNull(vm, "vm");
    }

    /** The charge that it would have on another node. */
    Resources charge() {
        return reservation.traits().overcommit().charge(reservation.reserved());
    }
}
