package io.sluice.codecs.ledger;

import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** The numbers of a node's pressure: reserved, watermark, logical, capacity, accounted, slack resources. */
public final class PressurePart {
    private PressurePart() {}

    public static void write(PressureNumbers numbers, WireWriter out) {
        out.resources(numbers.reserved())
                .resources(numbers.watermark())
                .resources(numbers.logical())
                .resources(numbers.capacity())
                .resources(numbers.accounted())
                .resources(numbers.slack());
    }

    public static PressureNumbers read(WireReader in) {
        return new PressureNumbers(
                in.resources(), in.resources(), in.resources(), in.resources(), in.resources(), in.resources());
    }
}
