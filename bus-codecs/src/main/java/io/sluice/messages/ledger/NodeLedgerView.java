package io.sluice.messages.ledger;

import io.sluice.devices.NodeDevices;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The ledger state of a node.
 *
 * @param node its name
 * @param complete whether a full list was taken; nothing is granted before
 * @param total what it can give
 * @param watermark above this, VMs should leave
 * @param reserved the sum of its charges, after overcommit
 * @param committed the sum before overcommit
 * @param held the part of reserved that is held for pods that are not bound yet
 * @param buffer what VMs may be using without a report of it yet
 * @param capacityPressure what was requested and refused
 * @param accountedPressure what the migrations under way will take away
 * @param migrating the charges of the VMs that are migrating
 * @param underPressure whether VMs should leave it now
 * @param invariantsBroken how many commands left this state inconsistent; anything but 0 is a defect of the program
 * @param reservations its reservations, sorted by id
 * @param readiness what is granted there by its condition Ready
 * @param unsettled how many reservations wait for a request of their agent, or for being reclaimed
 * @param fixedTotal what it can give of the other kinds
 * @param fixedReserved the sum of its reservations in the other kinds
 * @param fixedHeld the part of it that is held for pods that are not bound yet
 * @param devices its GPUs, and who allocates them; what is reserved of each is in {@code fixedReserved}
 * @param kept room that is kept there for a pod that waits
 * @param deferred the part of {@code capacityPressure} that its kubelet has refused for now
 * @param completedAt when a full list completed this state; a state of another instant is another one. Empty if it is
 *     not complete
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
        List<ReservationView> reservations,
        NodeReadiness readiness,
        int unsettled,
        FixedAmounts fixedTotal,
        FixedAmounts fixedReserved,
        FixedAmounts fixedHeld,
        NodeDevices devices,
        Optional<KeptRoom> kept,
        Resources deferred,
        Optional<Instant> completedAt) {
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
        reservations = List.copyOf(reservations);
        Objects.requireNonNull(readiness, "readiness");
        Objects.requireNonNull(fixedTotal, "fixedTotal");
        Objects.requireNonNull(fixedReserved, "fixedReserved");
        Objects.requireNonNull(fixedHeld, "fixedHeld");
        Objects.requireNonNull(devices, "devices");
        Objects.requireNonNull(kept, "kept");
        Objects.requireNonNull(deferred, "deferred");
        Objects.requireNonNull(completedAt, "completedAt");
    }

    /**
     * Of a node of which no GPU is known, nor when its state was completed, on which no room is kept, and whose kubelet
     * defers nothing.
     */
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
            List<ReservationView> reservations,
            NodeReadiness readiness,
            int unsettled,
            FixedAmounts fixedTotal,
            FixedAmounts fixedReserved,
            FixedAmounts fixedHeld) {
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
                reservations,
                readiness,
                unsettled,
                fixedTotal,
                fixedReserved,
                fixedHeld,
                NodeDevices.NONE,
                Optional.empty(),
                Resources.NONE,
                Optional.empty());
    }

    /** Of CPU and memory alone. */
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
            List<ReservationView> reservations,
            NodeReadiness readiness,
            int unsettled) {
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
                reservations,
                readiness,
                unsettled,
                FixedAmounts.NONE,
                FixedAmounts.NONE,
                FixedAmounts.NONE);
    }

    /** Of a node that is ready, without a reservation that waits. */
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
            List<ReservationView> reservations) {
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
                reservations,
                NodeReadiness.READY,
                0);
    }

    /** Whether room is held for a pod that is not bound yet. */
    public boolean hasHolds() {
        return !held.equals(Resources.NONE) || !fixedHeld.isNone();
    }

    /** The same with another readiness. */
    public NodeLedgerView with(NodeReadiness newReadiness) {
        return with(newReadiness, reservations);
    }

    /** Its sums alone. */
    public NodeLedgerView withoutReservations() {
        return reservations.isEmpty() ? this : with(readiness, List.of());
    }

    private NodeLedgerView with(NodeReadiness newReadiness, List<ReservationView> newReservations) {
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
                newReservations,
                newReadiness,
                unsettled,
                fixedTotal,
                fixedReserved,
                fixedHeld,
                devices,
                kept,
                deferred,
                completedAt);
    }
}
