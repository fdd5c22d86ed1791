package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;

/**
 * v1: kind u8, vm, node text, from, to resources, reaction duration?, basis, reason text. The basis: goalCu i32, cpuCu,
 * memoryCu, lfcCu, load1, load5, usageBytes f64?, requestedCu, vetoedCu i32.
 */
public final class DecisionCodec extends WireCodec<Decision> {
    /** The codec. */
    public DecisionCodec() {
        super("agent.decision", 1);
    }

    @Override
    protected void write(Decision message, WireWriter out) {
        out.constant(EnumNumbers.DECISION_KIND, message.kind())
                .vm(message.vm())
                .text(message.node())
                .resources(message.from())
                .resources(message.to())
                .optional(message.reaction(), WireWriter::duration);
        write(message.basis(), out);
        out.text(message.reason());
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
                basis(in),
                in.text());
    }

    private static void write(GoalBasis basis, WireWriter out) {
        out.i32(basis.goalCu())
                .optional(basis.cpuCu(), WireWriter::f64)
                .optional(basis.memoryCu(), WireWriter::f64)
                .optional(basis.lfcCu(), WireWriter::f64)
                .optional(basis.load1(), WireWriter::f64)
                .optional(basis.load5(), WireWriter::f64)
                .optional(basis.usageBytes(), WireWriter::f64)
                .i32(basis.requestedCu())
                .i32(basis.vetoedCu());
    }

    private static GoalBasis basis(WireReader in) {
        return new GoalBasis(
                in.i32(),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.i32(),
                in.i32());
    }
}
