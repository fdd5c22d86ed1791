package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * A member that is to leave.
 *
 * @param member its books on the node that it leaves
 * @param vm its VM
 * @param from the node that it leaves
 * @param to the node that is meant to take it
 * @param cause why it moves
 * @param numbers what the pressure was weighed from; empty where none was
 * @param reason in words
 */
public record Pick(
        ReservationView member,
        KnownVm vm,
        String from,
        String to,
        MarkMigrating.Cause cause,
        Optional<PressureNumbers> numbers,
        String reason) {
    public Pick {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(numbers, "numbers");
        Objects.requireNonNull(reason, "reason");
    }

    /** What it holds of the other node. */
    public Resources charge() {
        return NodeScale.onNode(member.reserved(), member.traits().overcommit());
    }
}
