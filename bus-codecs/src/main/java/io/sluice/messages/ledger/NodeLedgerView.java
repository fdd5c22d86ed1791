package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * What a node has promised.
 *
 * @param node its name
 * @param complete whether its members were listed; nothing is granted before
 * @param total what it can give
 * @param watermark above this, VMs should leave
 * @param reserved the sum of its members' charges, after overcommit
 * @param committed the sum before overcommit
 * @param held the part of reserved that is not bound yet
 * @param buffer what members may be using that nobody has told yet
 * @param capacityPressure asked for and refused
 * @param accountedPressure what the migrations under way will take away
 * @param migrating the charges of the members that are moving
 * @param underPressure whether VMs should leave it now
 * @param invariantsBroken how many commands left these books inconsistent; anything but 0 is a defect of the program
 * @param members its members, sorted by id
 * @param readiness what is still promised of it
 * @param unsettled how many members wait for their agent, or for being settled
 */
public record NodeLedgerView(
        String node,
        boolean complete,
        Resources total,
        Resources watermark,
        Resources reserved,
        Resources committed,
        Resources held,
        Resources buffer,
        Resources capacityPressure,
        Resources accountedPressure,
        Resources migrating,
        boolean underPressure,
        long invariantsBroken,
        List<ReservationView> members,
        NodeReadiness readiness,
        int unsettled) {
    public NodeLedgerView {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(committed, "committed");
        Objects.requireNonNull(held, "held");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(capacityPressure, "capacityPressure");
        Objects.requireNonNull(accountedPressure, "accountedPressure");
        Objects.requireNonNull(migrating, "migrating");
        members = List.copyOf(members);
        Objects.requireNonNull(readiness, "readiness");
    }

    /** Of a node that is ready, whose members are all settled. */
    public NodeLedgerView(
            String node,
            boolean complete,
            Resources total,
            Resources watermark,
            Resources reserved,
            Resources committed,
            Resources held,
            Resources buffer,
            Resources capacityPressure,
            Resources accountedPressure,
            Resources migrating,
            boolean underPressure,
            long invariantsBroken,
            List<ReservationView> members) {
        this(
                node,
                complete,
                total,
                watermark,
                reserved,
                committed,
                held,
                buffer,
                capacityPressure,
                accountedPressure,
                migrating,
                underPressure,
                invariantsBroken,
                members,
                NodeReadiness.READY,
                0);
    }

    /** The same, as it stands by its condition Ready. */
    public NodeLedgerView with(NodeReadiness newReadiness) {
        return new NodeLedgerView(
                node,
                complete,
                total,
                watermark,
                reserved,
                committed,
                held,
                buffer,
                capacityPressure,
                accountedPressure,
                migrating,
                underPressure,
                invariantsBroken,
                members,
                newReadiness,
                unsettled);
    }
}
