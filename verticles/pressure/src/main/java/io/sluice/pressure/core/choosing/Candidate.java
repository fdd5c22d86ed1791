package io.sluice.pressure.core.choosing;

import io.sluice.messages.ledger.MemberBooks;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A member that could leave if another node has room.
 *
 * @param member its books
 * @param vm its VM
 */
record Candidate(MemberBooks member, KnownVm vm) {
    Candidate {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(vm, "vm");
    }

    /** What it would hold of another node. */
    Resources charge() {
        return Scale.onNode(member.reserved(), member.traits().overcommit());
    }
}
