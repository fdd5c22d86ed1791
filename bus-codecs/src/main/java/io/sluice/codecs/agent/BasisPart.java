package io.sluice.codecs.agent;

import io.sluice.messages.agent.GoalBasis;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * The numbers behind a goal: goalCu i32, cpuCu, memoryCu, lfcCu, load1, load5, usageBytes f64?, requestedCu, deniedCu
 * i32.
 */
final class BasisPart {
    private BasisPart() {}

    static void write(GoalBasis basis, WireWriter out) {
        out.i32(basis.goalCu())
                .optional(basis.cpuCu(), WireWriter::f64)
                .optional(basis.memoryCu(), WireWriter::f64)
                .optional(basis.lfcCu(), WireWriter::f64)
                .optional(basis.load1(), WireWriter::f64)
                .optional(basis.load5(), WireWriter::f64)
                .optional(basis.usageBytes(), WireWriter::f64)
                .i32(basis.requestedCu())
                .i32(basis.deniedCu());
    }

    static GoalBasis read(WireReader in) {
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
