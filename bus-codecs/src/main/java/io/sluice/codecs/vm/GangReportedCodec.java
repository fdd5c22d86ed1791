package io.sluice.codecs.vm;

import io.sluice.messages.vm.GangReported;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: refusal text. */
public final class GangReportedCodec extends WireCodec<GangReported> {
    /** The codec. */
    public GangReportedCodec() {
        super("vm.gang-reported", 1);
    }

    @Override
    protected void write(GangReported message, WireWriter out) {
        out.text(message.refusal());
    }

    @Override
    protected GangReported read(int version, WireReader in) {
        return new GangReported(in.text());
    }
}
