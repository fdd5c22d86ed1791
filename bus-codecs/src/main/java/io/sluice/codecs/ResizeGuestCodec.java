package io.sluice.codecs;

import io.sluice.bus.WireCodec;
import io.sluice.bus.WireReader;
import io.sluice.bus.WireWriter;
import io.sluice.messages.monitor.ResizeGuest;

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
