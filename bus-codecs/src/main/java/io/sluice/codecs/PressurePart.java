package io.sluice.codecs;

import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.ledger.PressureNumbers;

/** What a node's pressure was weighed from: reserved, watermark, logical, capacity, accounted, slack resources. */
final class PressurePart {
    private PressurePart() {}

    static void write(PressureNumbers numbers, WireWriter out) {
        out.resources(numbers.reserved())
                .resources(numbers.watermark())
                .resources(numbers.logical())
                .resources(numbers.capacity())
                .resources(numbers.accounted())
                .resources(numbers.slack());
    }

    static PressureNumbers read(WireReader in) {
        return new PressureNumbers(
                in.resources(), in.resources(), in.resources(), in.resources(), in.resources(), in.resources());
    }
}
