package io.sluice.codecs.monitor;

import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, generation i64, target resources. */
public final class ResizeGuestCodec extends WireCodec<ResizeGuest> {
    /** The codec. */
    public ResizeGuestCodec() {
        super("monitor.resize-guest", 1);
    }

    @Override
    protected void write(ResizeGuest message, WireWriter out) {
        out.vm(message.vm()).i64(message.generation()).resources(message.target());
    }

    @Override
    protected ResizeGuest read(int version, WireReader in) {
        return new ResizeGuest(in.vm(), in.i64(), in.resources());
    }
}
