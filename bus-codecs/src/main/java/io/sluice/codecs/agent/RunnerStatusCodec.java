package io.sluice.codecs.agent;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.Optional;

/**
 * v1: vm, node, pod texts, size resources, goal, permit resources?, waiting u8, since duration, basis, reason text. v2:
 * unit resources?.
 */
public final class RunnerStatusCodec extends WireCodec<RunnerStatus> {
    /** The codec. */
    public RunnerStatusCodec() {
        super("agent.runner-status", 1, 2);
    }

    @Override
    protected void write(RunnerStatus message, WireWriter out) {
        out.vm(message.vm())
                .text(message.node())
                .text(message.pod())
                .resources(message.size())
                .optional(message.goal(), WireWriter::resources)
                .optional(message.permit(), WireWriter::resources)
                .constant(EnumNumbers.WAITING, message.waiting())
                .duration(message.since());
        BasisPart.write(message.basis(), out);
        out.text(message.reason()).optional(message.unit(), WireWriter::resources);
    }

    @Override
    protected RunnerStatus read(int version, WireReader in) {
        return new RunnerStatus(
                in.vm(),
                in.text(),
                in.text(),
                in.resources(),
                in.optional(WireReader::resources),
                in.optional(WireReader::resources),
                in.constant(EnumNumbers.WAITING),
                in.duration(),
                BasisPart.read(in),
                in.text(),
                version < 2 ? Optional.empty() : in.optional(WireReader::resources));
    }
}
