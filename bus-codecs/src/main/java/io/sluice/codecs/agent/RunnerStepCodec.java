package io.sluice.codecs.agent;

import io.sluice.messages.agent.RunnerStep;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, node, runner texts, number i64, goalCu i32, shadowCu i32?, entries list of texts. */
public final class RunnerStepCodec extends WireCodec<RunnerStep> {
    /** The codec. */
    public RunnerStepCodec() {
        super("agent.runner-step", 1);
    }

    @Override
    protected void write(RunnerStep message, WireWriter out) {
        out.vm(message.vm())
                .text(message.node())
                .text(message.runner())
                .i64(message.number())
                .i32(message.goalCu())
                .optional(message.shadowCu(), WireWriter::i32)
                .list(message.entries(), WireWriter::text);
    }

    @Override
    protected RunnerStep read(int version, WireReader in) {
        return new RunnerStep(
                in.vm(),
                in.text(),
                in.text(),
                in.i64(),
                in.i32(),
                in.optional(WireReader::i32),
                in.list(WireReader::text));
    }
}
