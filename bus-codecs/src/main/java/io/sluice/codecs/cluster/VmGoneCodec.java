package io.sluice.codecs.cluster;

import io.sluice.messages.cluster.VmGone;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: vm, version i64. */
public final class VmGoneCodec extends WireCodec<VmGone> {
    /** The codec. */
    public VmGoneCodec() {
        super("cluster.vm-gone", 1);
    }

    @Override
    protected void write(VmGone message, WireWriter out) {
        out.vm(message.vm()).i64(message.version());
    }

    @Override
    protected VmGone read(int version, WireReader in) {
        return new VmGone(in.vm(), in.i64());
    }
}
