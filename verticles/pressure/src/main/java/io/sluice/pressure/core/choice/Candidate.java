package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A member that could leave if another node has room.
 *
 * @param member its books
 * @param vm its VM
 */
record Candidate(ReservationView member, KnownVm vm) {
    Candidate {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(vm, "vm");
    }

    /** What it would hold of another node. */
    Resources charge() {
        return NodeScale.onNode(member.reserved(), member.traits().overcommit());
    }
}
