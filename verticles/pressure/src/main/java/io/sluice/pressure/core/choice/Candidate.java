package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM that could leave if another node has room.
 *
 * @param reservation its reservation
 * @param vm the VM
 * @param use what it uses now; empty if that is unknown
 */
record Candidate(ReservationView reservation, KnownVm vm, Optional<Resources> use) {
    Candidate {
        Objects.requireNonNull(reservation, "reservation");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(use, "use");
    }

    static Candidate of(ReservationView reservation, ChoiceContext around) {
        var vm = around.vm(reservation.namespace(), reservation.vmName()).orElseThrow();
        return new Candidate(reservation, vm, around.use(reservation.pod()));
    }

    /** What it would take on another node. */
    RoomAmounts amounts() {
        return RoomAmounts.of(reservation);
    }
}
