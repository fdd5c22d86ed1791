package io.sluice.codecs.pressure;

import io.sluice.codecs.EnumNumbers;
import io.sluice.codecs.ledger.PressurePart;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: kind u8, node text, vm?, to text, numbers?, reason text. */
public final class PressureDecisionCodec extends WireCodec<PressureDecision> {
    /** The codec. */
    public PressureDecisionCodec() {
        super("pressure.pressure-decision", 1);
    }

    @Override
    protected void write(PressureDecision message, WireWriter out) {
        out.constant(EnumNumbers.PRESSURE_KIND, message.kind())
                .text(message.node())
                .optional(message.vm(), WireWriter::vm)
                .text(message.to())
                .optional(message.numbers(), (to, numbers) -> PressurePart.write(numbers, to))
                .text(message.reason());
    }

    @Override
    protected PressureDecision read(int version, WireReader in) {
        return new PressureDecision(
                in.constant(EnumNumbers.PRESSURE_KIND),
                in.text(),
                in.optional(WireReader::vm),
                in.text(),
                in.optional(PressurePart::read),
                in.text());
    }
}
