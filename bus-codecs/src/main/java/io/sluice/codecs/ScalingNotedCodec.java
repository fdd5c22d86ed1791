package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.agent.ScalingNoted;

/** v1: kind u8, vm, endpointId text, at instant, currentMilliCu, targetMilliCu i64, cpuCu, memoryCu, lfcCu f64?. */
public final class ScalingNotedCodec extends WireCodec<ScalingNoted> {
    /** The codec. */
    public ScalingNotedCodec() {
        super("agent.scaling-noted", 1);
    }

    @Override
    protected void write(ScalingNoted message, WireWriter out) {
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
    protected ScalingNoted read(int version, WireReader in) {
        return new ScalingNoted(
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
