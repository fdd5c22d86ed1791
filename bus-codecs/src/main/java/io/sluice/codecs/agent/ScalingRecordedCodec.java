package io.sluice.codecs.agent;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: kind u8, vm, endpointId text, at instant, currentMilliCu, targetMilliCu i64, cpuCu, memoryCu, lfcCu f64?. */
public final class ScalingRecordedCodec extends WireCodec<ScalingRecorded> {
    /** The codec. */
    public ScalingRecordedCodec() {
        super("agent.scaling-recorded", 1);
    }

    @Override
    protected void write(ScalingRecorded message, WireWriter out) {
        out.constant(EnumNumbers.SCALING_KIND, message.kind())
                .vm(message.vm())
                .text(message.endpointId())
                .instant(message.at())
                .i64(message.currentMilliCu())
                .i64(message.targetMilliCu())
                .optional(message.cpuCu(), WireWriter::f64)
                .optional(message.memoryCu(), WireWriter::f64)
                .optional(message.lfcCu(), WireWriter::f64);
    }

    @Override
    protected ScalingRecorded read(int version, WireReader in) {
        return new ScalingRecorded(
                in.constant(EnumNumbers.SCALING_KIND),
                in.vm(),
                in.text(),
                in.instant(),
                in.i64(),
                in.i64(),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64));
    }
}
