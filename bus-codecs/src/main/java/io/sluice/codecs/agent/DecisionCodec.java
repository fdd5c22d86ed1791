package io.sluice.codecs.agent;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.agent.Decision;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v2: kind u8, vm, node text, from, to resources, reaction duration?, basis, reason text, count i32. */
public final class DecisionCodec extends WireCodec<Decision> {
    /** The codec. */
    public DecisionCodec() {
        super("agent.decision", 2);
    }

    @Override
    protected void write(Decision message, WireWriter out) {
        out.constant(EnumNumbers.DECISION_KIND, message.kind())
                .vm(message.vm())
                .text(message.node())
                .resources(message.from())
                .resources(message.to())
                .optional(message.reaction(), WireWriter::duration);
        BasisPart.write(message.basis(), out);
        out.text(message.reason()).i32(message.count());
    }

    @Override
    protected Decision read(int version, WireReader in) {
        return new Decision(
                in.constant(EnumNumbers.DECISION_KIND),
                in.vm(),
                in.text(),
                in.resources(),
                in.resources(),
                in.optional(WireReader::duration),
                BasisPart.read(in),
                in.text(),
                in.i32());
    }
}
