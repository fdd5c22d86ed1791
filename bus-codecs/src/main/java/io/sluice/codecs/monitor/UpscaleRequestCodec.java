package io.sluice.codecs.monitor;

import io.sluice.messages.monitor.UpscaleRequest;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, generation i64. v2: at text. */
public final class UpscaleRequestCodec extends WireCodec<UpscaleRequest> {
    /** The codec. */
    public UpscaleRequestCodec() {
        super("monitor.upscale-request", 2);
    }

    @Override
    protected void write(UpscaleRequest message, WireWriter out) {
        out.vm(message.vm()).i64(message.generation()).text(message.at());
    }

    @Override
    protected UpscaleRequest read(int version, WireReader in) {
        return new UpscaleRequest(in.vm(), in.i64(), in.text());
    }
}
