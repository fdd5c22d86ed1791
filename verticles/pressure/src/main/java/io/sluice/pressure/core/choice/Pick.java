package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM that is chosen to leave.
 *
 * @param reservation its reservation on the node that it leaves
 * @param vm the VM
 * @param from the node that it leaves
 * @param to the target node
 * @param cause why it migrates
 * @param numbers the numbers of the pressure; empty where there is another cause
 * @param reason as text
 */
public record Pick(
        ReservationView reservation,
        KnownVm vm,
        String from,
        String to,
        MarkMigrating.Cause cause,
        Optional<PressureNumbers> numbers,
        String reason) {
    public Pick {
        Objects.requireNonNull(reservation, "reservation");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(numbers, "numbers");
        Objects.requireNonNull(reason, "reason");
    }

    /** What it takes on the target node. */
    public RoomAmounts amounts() {
        return RoomAmounts.of(reservation);
    }
}
