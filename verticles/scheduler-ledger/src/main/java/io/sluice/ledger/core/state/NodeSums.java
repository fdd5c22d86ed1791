package io.sluice.ledger.core.state;

import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The sums over the reservations of a node, in the node's scale except for {@code committed}.
 *
 * @param reserved the charges
 * @param committed the reservations before overcommit
 * @param held the charges of reservations whose pods are not bound yet
 * @param buffer the buffers
 * @param capacityPressure what was requested and refused, by the ledger or for now by the kubelet
 * @param accountedPressure charge and pressure of VMs that migrate away
 * @param migrating the charges of VMs that migrate away
 * @param fixed what is reserved of the other kinds
 * @param fixedHeld the part of it of reservations whose pods are not bound yet
 * @param deferred the part of {@code capacityPressure} that the kubelet has refused for now
 */
public record NodeSums(
        Resources reserved,
        Resources committed,
        Resources held,
        Resources buffer,
        Resources capacityPressure,
        Resources accountedPressure,
        Resources migrating,
        FixedAmounts fixed,
        FixedAmounts fixedHeld,
        Resources deferred) {
    /** The sums over no reservation. */
    public static final NodeSums ZERO = new NodeSums(
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            FixedAmounts.NONE,
            FixedAmounts.NONE,
            Resources.NONE);

    public NodeSums {
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(committed, "committed");
        Objects.requireNonNull(held, "held");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(capacityPressure, "capacityPressure");
        Objects.requireNonNull(accountedPressure, "accountedPressure");
        Objects.requireNonNull(migrating, "migrating");
        Objects.requireNonNull(fixed, "fixed");
        Objects.requireNonNull(fixedHeld, "fixedHeld");
        Objects.requireNonNull(deferred, "deferred");
    }

    /** What one reservation adds. */
    public static NodeSums of(Reservation reservation) {
        var amounts = reservation.amounts();
        var charge = amounts.charge();
        var pressure = amounts.pressureCharge();
        var deferred = amounts.overcommit().charge(reservation.observations().deferred());
        var taken = reservation.taken();
        boolean moving = reservation.status().migrating();
        return new NodeSums(
                charge,
                amounts.reserved(),
                reservation.status().held() ? charge : Resources.NONE,
                amounts.bufferCharge(),
                pressure.plus(deferred),
                moving ? charge.plus(pressure) : Resources.NONE,
                moving ? charge : Resources.NONE,
                taken,
                reservation.status().held() ? taken : FixedAmounts.NONE,
                deferred);
    }

    /**
     * Counts the sums again.
     *
     * @throws ArithmeticException when one would overflow
     */
    public static NodeSums over(ReservationTable reservations) {
        var sums = ZERO;
        for (var reservation : reservations) {
            sums = sums.plus(of(reservation));
        }
        return sums;
    }

    public NodeSums plus(NodeSums other) {
        return new NodeSums(
                reserved.plus(other.reserved),
                committed.plus(other.committed),
                held.plus(other.held),
                buffer.plus(other.buffer),
                capacityPressure.plus(other.capacityPressure),
                accountedPressure.plus(other.accountedPressure),
                migrating.plus(other.migrating),
                fixed.plus(other.fixed),
                fixedHeld.plus(other.fixedHeld),
                deferred.plus(other.deferred));
    }

    public NodeSums minus(NodeSums other) {
        return new NodeSums(
                reserved.minus(other.reserved),
                committed.minus(other.committed),
                held.minus(other.held),
                buffer.minus(other.buffer),
                capacityPressure.minus(other.capacityPressure),
                accountedPressure.minus(other.accountedPressure),
                migrating.minus(other.migrating),
                fixed.minus(other.fixed),
                fixedHeld.minus(other.fixedHeld),
                deferred.minus(other.deferred));
    }
}
