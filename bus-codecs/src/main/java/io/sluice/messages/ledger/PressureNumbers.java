package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The numbers of a node's pressure: VMs should leave while in some kind {@code logical + capacity} exceeds
 * {@code accounted + slack}, unless no kind is above its watermark and no kubelet defers.
 *
 * @param reserved the sum of the charges
 * @param watermark above this, VMs should leave
 * @param logical reserved above the watermark
 * @param capacity what was requested and refused
 * @param accounted what the migrations under way will take away
 * @param slack buffers, and what is left below the watermark of a kind of which the kubelet defers nothing
 */
public record PressureNumbers(
        Resources reserved,
        Resources watermark,
        Resources logical,
        Resources capacity,
        Resources accounted,
        Resources slack) {
    public PressureNumbers {
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(logical, "logical");
        Objects.requireNonNull(capacity, "capacity");
        Objects.requireNonNull(accounted, "accounted");
        Objects.requireNonNull(slack, "slack");
    }

    /** The numbers of a node's ledger state. */
    public static PressureNumbers of(NodeLedgerView ledger) {
        var reserved = ledger.reserved();
        var watermark = ledger.watermark();
        return new PressureNumbers(
                reserved,
                watermark,
                reserved.minus(watermark),
                ledger.capacityPressure(),
                ledger.accountedPressure(),
                slack(ledger.buffer(), watermark.minus(reserved), ledger.deferred()));
    }

    /**
     * What has to be used up before VMs should leave. Where the kubelet defers growth the node is full, whatever is
     * left below its watermark.
     *
     * @param left below the watermark
     */
    public static Resources slack(Resources buffer, Resources left, Resources deferred) {
        return buffer.plus(new Resources(
                deferred.milliCpu() > 0 ? 0 : left.milliCpu(), deferred.memoryBytes() > 0 ? 0 : left.memoryBytes()));
    }
}
