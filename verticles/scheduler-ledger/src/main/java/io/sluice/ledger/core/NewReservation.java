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
public record NewReservation(PodIdentity who, Resources amounts, Overcommit overcommit) {
    public NewReservation {
        Objects.requireNonNull(who, "who");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(overcommit, "overcommit");
    }

    /** The room that a question is about; whoever holds it is not created yet. */
    static NewReservation of(HoldRoom wanted) {
        var who = new PodIdentity(wanted.holder(), wanted.namespace(), wanted.name(), wanted.vmName(), 0);
        return new NewReservation(who, wanted.amounts(), wanted.overcommit());
    }

    ReservationAmounts used() {
        return ReservationAmounts.used(amounts, overcommit);
    }
}
