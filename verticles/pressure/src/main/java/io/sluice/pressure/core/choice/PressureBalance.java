package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What the pressure of a node is weighed from, as the books show it or as they will once more members are marked.
 *
 * @param reserved what is promised
 * @param watermark above this, VMs should leave
 * @param capacity asked for and refused
 * @param accounted what the migrations under way will take away
 * @param buffer the part of reserved that nobody is known to use
 */
public record PressureBalance(
        Resources reserved, Resources watermark, Resources capacity, Resources accounted, Resources buffer) {
    public PressureBalance {
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(capacity, "capacity");
        Objects.requireNonNull(accounted, "accounted");
        Objects.requireNonNull(buffer, "buffer");
    }

    /** As the books stand. */
    public static PressureBalance of(NodeLedgerView books) {
        return new PressureBalance(
                books.reserved(),
                books.watermark(),
                books.capacityPressure(),
                books.accountedPressure(),
                books.buffer());
    }

    /** Once this member is marked: its buffer is given back, and its charge and pressure are accounted for. */
    public PressureBalance without(ReservationView member) {
        var traits = member.traits();
        var buffer = NodeScale.onNode(member.buffer(), traits.overcommit());
        var charge = NodeScale.onNode(member.reserved().minus(member.buffer()), traits.overcommit());
        var pressure = NodeScale.onNode(member.pressure(), traits.overcommit());
        return new PressureBalance(
                reserved.minus(traits.charge()).plus(charge),
                watermark,
                capacity,
                accounted.plus(charge).plus(pressure),
                this.buffer.minus(buffer));
    }

    /** Whether more should leave than is accounted for. */
    public boolean tooMuch() {
        return !excess().equals(Resources.NONE);
    }

    /** What is not accounted for yet, in each kind; nothing where no kind stands above its watermark. */
    public Resources excess() {
        return clear() ? Resources.NONE : new Resources(excess(ResourceKind.CPU), excess(ResourceKind.MEMORY));
    }

    /** Memory at its watermark counts as above it, CPU does not. */
    private boolean clear() {
        return reserved.milliCpu() <= watermark.milliCpu() && reserved.memoryBytes() < watermark.memoryBytes();
    }

    private long excess(ResourceKind kind) {
        var slack = buffer.plus(watermark.minus(reserved));
        long logical = reserved.minus(watermark).of(kind);
        return positiveDifference(logical - accounted.of(kind), slack.of(kind) - capacity.of(kind));
    }

    /** Stops at zero, and at the largest number: differences of two amounts each may lie too far apart. */
    private static long positiveDifference(long more, long less) {
        if (more <= less) {
            return 0;
        }
        long difference = more - less;
        return difference > 0 ? difference : Long.MAX_VALUE;
    }
}
