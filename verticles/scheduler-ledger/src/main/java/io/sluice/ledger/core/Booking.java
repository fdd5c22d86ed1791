package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * Room that is asked for a member before, or because, it is bound to the node.
 *
 * @param who the member
 * @param amounts in its own scale
 * @param overcommit how they are divided on the node
 */
public record Booking(Identity who, Resources amounts, Overcommit overcommit) {
    public Booking {
        Objects.requireNonNull(who, "who");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(overcommit, "overcommit");
    }

    /** The room that a question is about; whoever holds it is not created yet. */
    static Booking of(HoldRoom wanted) {
        var who = new Identity(wanted.holder(), wanted.namespace(), wanted.name(), wanted.vmName(), 0);
        return new Booking(who, wanted.amounts(), wanted.overcommit());
    }

    Amounts used() {
        return Amounts.used(amounts, overcommit);
    }
}
