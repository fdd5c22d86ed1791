package io.sluice.ledger.core.state;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The amounts that are reserved for one pod, in its own scale.
 *
 * @param reserved the reservation
 * @param requested the size that was last requested
 * @param pressure what was requested and refused
 * @param buffer the part of the reservation whose use was neither reported nor permitted
 * @param overcommit the factor by which its amounts are divided on the node
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
    public static ReservationAmounts used(Resources amount, Overcommit overcommit) {
        return new ReservationAmounts(amount, amount, Resources.NONE, Resources.NONE, overcommit);
    }

    /** What the VM is known to use or was permitted: the reservation without the buffer. */
    public Resources reported() {
        return reserved.minus(buffer);
    }

    /** The charge of the node. */
    public Resources charge() {
        return overcommit.charge(reserved);
    }

    /** The pressure in the node's scale. */
    public Resources pressureCharge() {
        return overcommit.charge(pressure);
    }

    /** The buffer in the node's scale. */
    public Resources bufferCharge() {
        return overcommit.charge(buffer);
    }

    /** Reserves {@code held}; what was reported or permitted stays so, and the rest is buffer. */
    public ReservationAmounts holding(Resources held) {
        return new ReservationAmounts(held, requested, pressure, held.minus(reported()), overcommit);
    }

    /** Permits {@code permit}; at least {@code kept} stays reserved, because the VM may come to use it. */
    public ReservationAmounts permitted(Resources permit, Resources kept, Resources target, Resources refused) {
        var held = permit.max(kept);
        return new ReservationAmounts(held, target, refused, held.minus(permit), overcommit);
    }

    /** Reserves the larger of what was reported or permitted and the observed use. */
    public ReservationAmounts observed(Resources use) {
        var held = reported().max(use);
        return new ReservationAmounts(held, requested, pressure, held.minus(reported()), overcommit);
    }

    /** The same without the buffer. */
    public ReservationAmounts withoutBuffer() {
        return new ReservationAmounts(reported(), requested, pressure, Resources.NONE, overcommit);
    }

    public ReservationAmounts withoutPressure() {
        return new ReservationAmounts(reserved, requested, Resources.NONE, buffer, overcommit);
    }

    /** Reserves {@code newReserved}, at least what was reported or permitted; the rest is buffer. */
    public ReservationAmounts reserving(Resources newReserved) {
        var reported = reported();
        return new ReservationAmounts(
                newReserved.max(reported), requested, pressure, newReserved.minus(reported), overcommit);
    }

    /** Raises the amounts to the observed use. */
    public ReservationAmounts raisedTo(Resources use) {
        var reported = reported().max(use);
        var raised = reserved.max(use);
        return new ReservationAmounts(raised, requested, pressure, raised.minus(reported), overcommit);
    }

    /** Reserves exactly the use; what was refused stays recorded. */
    public ReservationAmounts at(Resources use) {
        return new ReservationAmounts(use, requested, pressure, Resources.NONE, overcommit);
    }

    public ReservationAmounts withOvercommit(Overcommit newOvercommit) {
        return new ReservationAmounts(reserved, requested, pressure, buffer, newOvercommit);
    }
}
