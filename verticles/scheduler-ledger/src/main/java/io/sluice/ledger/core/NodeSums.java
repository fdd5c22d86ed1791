package io.sluice.ledger.core;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The sums over the members of a node, in the node's scale except for {@code committed}.
 *
 * @param reserved the charges
 * @param committed what the members hold before overcommit
 * @param held the charges of those not bound yet
 * @param buffer the buffers
 * @param capacityPressure asked for and refused
 * @param accountedPressure charge and pressure of those that are moving
 * @param migrating the charges of those that are moving
 */
public record NodeSums(
        Resources reserved,
        Resources committed,
        Resources held,
        Resources buffer,
        Resources capacityPressure,
        Resources accountedPressure,
        Resources migrating) {
    /** Over nobody. */
    public static final NodeSums ZERO = new NodeSums(
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE,
            Resources.NONE);

    public NodeSums {
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(committed, "committed");
        Objects.requireNonNull(held, "held");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(capacityPressure, "capacityPressure");
        Objects.requireNonNull(accountedPressure, "accountedPressure");
        Objects.requireNonNull(migrating, "migrating");
    }

    /** What one member adds. */
    static NodeSums of(Reservation member) {
        var amounts = member.amounts();
        var charge = amounts.charge();
        var pressure = amounts.pressureCharge();
        boolean moving = member.standing().migrating();
        return new NodeSums(
                charge,
                amounts.reserved(),
                member.standing().held() ? charge : Resources.NONE,
                amounts.bufferCharge(),
                pressure,
                moving ? charge.plus(pressure) : Resources.NONE,
                moving ? charge : Resources.NONE);
    }

    /**
     * The sums counted anew.
     *
     * @throws ArithmeticException when one would overflow
     */
    public static NodeSums over(ReservationTable members) {
        var sums = ZERO;
        for (var member : members) {
            sums = sums.plus(of(member));
        }
        return sums;
    }

    NodeSums plus(NodeSums other) {
        return new NodeSums(
                reserved.plus(other.reserved),
                committed.plus(other.committed),
                held.plus(other.held),
                buffer.plus(other.buffer),
                capacityPressure.plus(other.capacityPressure),
                accountedPressure.plus(other.accountedPressure),
                migrating.plus(other.migrating));
    }

    NodeSums minus(NodeSums other) {
        return new NodeSums(
                reserved.minus(other.reserved),
                committed.minus(other.committed),
                held.minus(other.held),
                buffer.minus(other.buffer),
                capacityPressure.minus(other.capacityPressure),
                accountedPressure.minus(other.accountedPressure),
                migrating.minus(other.migrating));
    }
}
