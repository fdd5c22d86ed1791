package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What the books hold for one member, in its own scale.
 *
 * @param reserved what it may use
 * @param requested what it last asked for
 * @param pressure asked for and refused
 * @param buffer the part of reserved that nobody has said it uses
 * @param overcommit how its amounts are divided on the node
 */
public record ReservationAmounts(
        Resources reserved, Resources requested, Resources pressure, Resources buffer, Overcommit overcommit) {
    public ReservationAmounts {
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(requested, "requested");
        Objects.requireNonNull(pressure, "pressure");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(overcommit, "overcommit");
    }

    /** All of it in use, nothing refused. */
    static ReservationAmounts used(Resources amount, Overcommit overcommit) {
        return new ReservationAmounts(amount, amount, Resources.NONE, Resources.NONE, overcommit);
    }

    /** What the member is known to use or was permitted: reserved without the buffer. */
    public Resources told() {
        return reserved.minus(buffer);
    }

    /** What the node is charged for it. */
    public Resources charge() {
        return KindArithmetic.onNode(reserved, overcommit);
    }

    /** Its pressure on the node. */
    public Resources pressureCharge() {
        return KindArithmetic.onNode(pressure, overcommit);
    }

    /** Its buffer on the node. */
    public Resources bufferCharge() {
        return KindArithmetic.onNode(buffer, overcommit);
    }

    /** No more than this, of which nothing that was told is taken away. */
    ReservationAmounts holding(Resources held) {
        return new ReservationAmounts(held, requested, pressure, held.minus(told()), overcommit);
    }

    /** This was permitted, and at least {@code kept} stays reserved, as the VM may come to use it. */
    ReservationAmounts permitted(Resources permit, Resources kept, Resources target, Resources refused) {
        var held = permit.max(kept);
        return new ReservationAmounts(held, target, refused, held.minus(permit), overcommit);
    }

    /** What was told stays told; beside it only what is observed in use is reserved. */
    ReservationAmounts observed(Resources use) {
        var held = told().max(use);
        return new ReservationAmounts(held, requested, pressure, held.minus(told()), overcommit);
    }

    /** The same with the buffer given back to the node. */
    ReservationAmounts withoutBuffer() {
        return new ReservationAmounts(told(), requested, pressure, Resources.NONE, overcommit);
    }

    ReservationAmounts withoutPressure() {
        return new ReservationAmounts(reserved, requested, Resources.NONE, buffer, overcommit);
    }

    /** Reserved becomes this, of which what was told stays told and the rest is buffer. */
    ReservationAmounts reserving(Resources newReserved) {
        var told = told();
        return new ReservationAmounts(newReserved.max(told), requested, pressure, newReserved.minus(told), overcommit);
    }

    /** The member is seen to use this: where it is more than was told, the books follow. */
    ReservationAmounts raisedTo(Resources use) {
        var told = told().max(use);
        var raised = reserved.max(use);
        return new ReservationAmounts(raised, requested, pressure, raised.minus(told), overcommit);
    }

    /** Reserved and used become this; what was refused stays refused. */
    ReservationAmounts at(Resources use) {
        return new ReservationAmounts(use, requested, pressure, Resources.NONE, overcommit);
    }

    ReservationAmounts withOvercommit(Overcommit newOvercommit) {
        return new ReservationAmounts(reserved, requested, pressure, buffer, newOvercommit);
    }
}
