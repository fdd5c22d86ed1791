package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What the pressure of a node is weighed from: VMs should leave while in some kind {@code logical + capacity} exceeds
 * {@code accounted + slack}, unless no kind is above its watermark.
 *
 * @param reserved what is promised
 * @param watermark above this, VMs should leave
 * @param logical reserved above the watermark
 * @param capacity asked for and refused
 * @param accounted what the migrations under way will take away
 * @param slack buffers, and what is left below the watermark
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

    /** The numbers behind the books of a node. */
    public static PressureNumbers of(NodeLedgerView books) {
        var reserved = books.reserved();
        var watermark = books.watermark();
        return new PressureNumbers(
                reserved,
                watermark,
                reserved.minus(watermark),
                books.capacityPressure(),
                books.accountedPressure(),
                books.buffer().plus(watermark.minus(reserved)));
    }
}
