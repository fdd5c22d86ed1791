package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The numbers of a node's pressure, as the ledger shows them or as they will be once more VMs are marked.
 *
 * @param reserved the charges on the node
 * @param watermark above this, VMs should leave
 * @param capacity what was requested and refused
 * @param accounted what the migrations under way will take away
 * @param buffer the part of reserved whose use was neither reported nor permitted
 * @param deferred the part of {@code capacity} that the kubelet has refused for now
 */
public record PressureBalance(
        Resources reserved,
        Resources watermark,
        Resources capacity,
        Resources accounted,
        Resources buffer,
        Resources deferred) {
    public PressureBalance {
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(capacity, "capacity");
        Objects.requireNonNull(accounted, "accounted");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(deferred, "deferred");
    }

    /** The balance that the ledger shows. */
    public static PressureBalance of(NodeLedgerView ledger) {
        return new PressureBalance(
                ledger.reserved(),
                ledger.watermark(),
                ledger.capacityPressure(),
                ledger.accountedPressure(),
                ledger.buffer(),
                ledger.deferred());
    }

    /** The balance once this VM is marked: its buffer is given back, and its charge and pressure are accounted for. */
    public PressureBalance without(ReservationView reservation) {
        var traits = reservation.traits();
        var buffer = traits.overcommit().charge(reservation.buffer());
        var charge = traits.overcommit().charge(reservation.reserved().minus(reservation.buffer()));
        var pressure = traits.overcommit().charge(reservation.pressure());
        return new PressureBalance(
                reserved.minus(traits.charge()).plus(charge),
                watermark,
                capacity,
                accounted.plus(charge).plus(pressure),
                this.buffer.minus(buffer),
                deferred);
    }

    /** Whether more should leave than is accounted for. */
    public boolean tooMuch() {
        return !excess().equals(Resources.NONE);
    }

    /** What is not accounted for yet, for each kind; zero where no kind is above its watermark or deferred. */
    public Resources excess() {
        return clear() ? Resources.NONE : new Resources(excess(ResourceKind.CPU), excess(ResourceKind.MEMORY));
    }

    /** Memory at its watermark counts as above it, CPU does not. */
    private boolean clear() {
        return reserved.milliCpu() <= watermark.milliCpu()
                && reserved.memoryBytes() < watermark.memoryBytes()
                && deferred.equals(Resources.NONE);
    }

    private long excess(ResourceKind kind) {
        var slack = PressureNumbers.slack(buffer, watermark.minus(reserved), deferred);
        long logical = reserved.minus(watermark).of(kind);
        return positiveDifference(logical - accounted.of(kind), slack.of(kind) - capacity.of(kind));
    }

    /** The difference, at least zero and at most the largest number, because it may not fit into 64 bits. */
    private static long positiveDifference(long more, long less) {
        if (more <= less) {
            return 0;
        }
        long difference = more - less;
        return difference > 0 ? difference : Long.MAX_VALUE;
    }
}
